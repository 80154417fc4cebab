import { lstat, readdir, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isAbsent } from '#runtime/absent-file.ts';
import { isInside } from '#runtime/folder-check/path-within.ts';
import { ofFileSystem } from '#runtime/postgres/database-state.ts';
import { StartupError } from '#runtime/program.ts';
import { moveMarks } from './move-marks.ts';

export interface FoundEntry {
  /** Relative to the data folder. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
  /** For a link: its target, rewritten so that it points into the copy. */
  readonly leadsTo: string | null;
  readonly bytes: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly modifiedMs: number;
}

/** Everything in a data folder that moves along; a folder comes before its contents. */
export interface HomeSurvey {
  readonly entries: readonly FoundEntry[];
  readonly files: number;
  readonly bytes: number;
}

/** The holder's record, the locks of running programs, and what belongs to a move or to the file system. */
const leftAtTop: ReadonlySet<string> = new Set([
  'supervisor.json',
  'start-refusal.json',
  ...Object.values(moveMarks),
  ...ofFileSystem,
]);
const lockAtTop = /\.lock(?:\..*)?$/;

/** Left by a postmaster that has ended; the next one writes them again, with the paths of its own start. */
const leftInside: ReadonlySet<string> = new Set(
  ['postmaster.pid', 'postmaster.opts'].map((name) => join('postgres', 'data', name)),
);

const isLeft = (path: string): boolean =>
  leftAtTop.has(path) || leftInside.has(path) || (!path.includes(sep) && lockAtTop.test(path));

/**
 * Lists everything in a data folder without following any link.
 * @throws {StartupError} for what cannot be copied correctly: a link that leads out of the data folder, a socket
 */
export const surveyHome = async (home: string): Promise<HomeSurvey> => {
  const entries: FoundEntry[] = [];
  const walk = async (folder: string): Promise<void> => {
    const names = await unlessGone(() => readdir(join(home, folder)));
    for (const name of (names ?? []).toSorted()) {
      const path = join(folder, name);
      const entry = isLeft(path) ? null : await unlessGone(() => lookAt(home, path));
      if (entry === null) continue;
      entries.push(entry);
      if (entry.kind === 'folder') await walk(path);
    }
  };
  await walk('');
  // `.env` makes a folder an installation, so it is copied last, once everything else is there.
  entries.sort((a, b) => Number(a.path === '.env') - Number(b.path === '.env'));
  const files = entries.filter(({ kind }) => kind === 'file');
  return { entries, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
};

/** A running database removes files while they are counted. */
const unlessGone = async <T>(look: () => Promise<T>): Promise<T | null> => {
  try {
    return await look();
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
};

const lookAt = async (home: string, path: string): Promise<FoundEntry> => {
  const whole = join(home, path);
  const found = await lstat(whole);
  const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'link';
  if (kind === 'link' && !found.isSymbolicLink())
    throw new StartupError(`${whole} is neither a file nor a folder. Move it away first.`);
  return {
    path,
    kind,
    leadsTo: kind === 'link' ? await inwardLink(home, whole) : null,
    bytes: kind === 'file' ? found.size : 0,
    mode: found.mode & 0o7777,
    uid: found.uid,
    gid: found.gid,
    modifiedMs: found.mtimeMs,
  };
};

/** Such as the links between libraries of Postgres. A relative one also works in the copy. */
const inwardLink = async (home: string, whole: string): Promise<string> => {
  const text = await readlink(whole);
  const goal = resolve(dirname(whole), text);
  if (process.platform === 'win32' || !isInside(goal, home))
    throw new StartupError(
      `${whole} is a link to ${goal}. What a link points to is not moved. Put the files themselves there first.`,
    );
  return isAbsolute(text) ? relative(dirname(whole), goal) || '.' : text;
};
