/**
 * The longest path that Postgres itself opens in a data folder, in two parts that a test measures: the folder of a restored cluster
 * before it takes its place (`restore-journal.ts`), and a temporary file of a hash join in it, as Postgres names them
 * (`SharedFileSetPath`, `sts_filename` and `MakeSharedSegmentPath` in its sources).
 */
export const longestClusterFolder = 'restore.ready/postgres/data';
export const longestClusterFile =
  'base/pgsql_tmp/pgsql_tmp4294967295.4294967295.fileset/o1024of1024.p1023.9999';

const neededBelow = `/${longestClusterFolder}/${longestClusterFile}`.length;

/** MAX_PATH of Windows and MAXPGPATH, less the NUL at the end: Postgres asks the system for no longer path. */
const mostLetters = (platform: NodeJS.Platform): number => (platform === 'win32' ? 259 : 1023);

/** How long a data folder's path may be: in letters on Windows, in bytes elsewhere. */
export const longestHome = (platform: NodeJS.Platform = process.platform): number =>
  mostLetters(platform) - neededBelow;

/** For people: why a data folder's path is too long; null when it is not. */
export const lengthFault = (path: string, platform: NodeJS.Platform = process.platform): string | null => {
  const length = platform === 'win32' ? path.length : Buffer.byteLength(path);
  const most = longestHome(platform);
  if (length <= most) return null;
  return `This path has ${length} characters, and at most ${most} are possible: the database adds ${neededBelow}, and a path may have ${mostLetters(platform)}.`;
};
