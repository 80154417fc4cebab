import { type ArchiveEntry, ArchiveError, type ArchiveFault } from './archive.ts';

/** Windows reserves these names in every folder, with any extension; some of its programs also with spaces before the dot. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;
/** `:` also begins an alternate data stream of another file. */
const noName = /[<>:"|?*\\\p{Cc}]/u;
/** The limit for one name on every file system. */
const longestName = 255;

/** Why some system cannot use a relative path; null if every system can. */
export const pathFault = (path: string, longest: number): ArchiveFault | null => {
  const outside = outsideFault(path);
  if (outside !== null) return outside;
  const names = path.split('/');
  for (const name of names) {
    if (name === '' || name === '.' || noName.test(name) || /[. ]$/.test(name) || deviceName.test(name))
      return 'path-name';
    if (name.includes('\u{fffd}')) return 'path-name';
    if (Buffer.byteLength(name) > longestName) return 'path-too-long';
  }
  return path.length > longest ? 'path-too-long' : null;
};

/** Finds a path that leaves its folder on any system; null if it stays inside. */
export const outsideFault = (path: string): ArchiveFault | null => {
  if (/^(?:[\\/]|[a-z]:)/i.test(path)) return 'path-absolute';
  // Windows drops spaces and dots at the end of a name.
  return path.split(/[\\/]/).some((name) => /^\.\.[. ]*$/.test(name)) ? 'path-outside' : null;
};

const words: Partial<Record<ArchiveFault, string>> = {
  'path-outside': 'leads out of its folder',
  'path-absolute': 'is an absolute path',
  'path-name': 'is a name that not every system can hold',
  'path-too-long': 'is too long',
};

const shown = (path: string) =>
  (path.length > 100 ? `${path.slice(0, 100)}…` : path).replace(/\p{Cc}/gu, '�');

/** @throws {ArchiveError} */
export const refusePath = (fault: ArchiveFault | null, path: string): void => {
  if (fault !== null) throw new ArchiveError(fault, `“${shown(path)}” ${words[fault] ?? 'cannot be used'}.`);
};

/** Equal for names that Windows or macOS treats as the same. */
const foldName = (path: string) => path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** Takes paths that one folder is to hold on every system; answers why the next one cannot be there beside those before. */
const createFolder = () => {
  const seen = new Map<string, { path: string; isFolder: boolean }>();
  const add = (path: string, isFolder: boolean): ArchiveError | null => {
    const folded = foldName(path);
    const other = seen.get(folded);
    if (other === undefined) {
      seen.set(folded, { path, isFolder });
      return null;
    }
    if (other.isFolder !== isFolder)
      return new ArchiveError('file-and-folder', `“${shown(path)}” is a file and a folder at once.`);
    if (other.path !== path)
      return new ArchiveError(
        'case-collision',
        `“${shown(other.path)}” and “${shown(path)}” are one name on Windows.`,
      );
    return isFolder ? null : new ArchiveError('duplicate', `“${shown(path)}” is in there twice.`);
  };
  return (path: string, isFolder: boolean): ArchiveError | null => {
    let fault = add(path, isFolder);
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
      fault ??= add(path.slice(0, at), true);
    return fault;
  };
};

/**
 * Checks that one folder can hold all of these paths on every system.
 * @throws {ArchiveError}
 */
export const checkTogether = (
  entries: readonly Pick<ArchiveEntry, 'path' | 'isFolder'>[],
  longest: number,
): void => {
  const add = createFolder();
  for (const { path, isFolder } of entries) {
    refusePath(pathFault(path, longest), path);
    const fault = add(path, isFolder);
    if (fault !== null) throw fault;
  }
};

/** Those of these files that are one with an earlier one on Windows: `Config/a` and `config/a`. */
export const collisionsIn = <T extends Pick<ArchiveEntry, 'path'>>(files: readonly T[]): ReadonlySet<T> => {
  const add = createFolder();
  return new Set(files.filter(({ path }) => add(path, false)?.fault === 'case-collision'));
};
