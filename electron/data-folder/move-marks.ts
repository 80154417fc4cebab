import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { syncFile, syncFolder } from '#runtime/disk-sync.ts';
import { StartupError } from '#runtime/program.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';

/**
 * Four files that name the other folder record how far a move has come. `moved` is the switch: with it, the old folder is no
 * data folder any more for any program. The copy has `unfinished` until the switch is made.
 */
export const moveMarks = {
  /** In the old folder while it is copied: the destination. */
  moving: 'moving.json',
  /** In the old folder from the switch on: the destination. */
  moved: 'moved.json',
  /** In the new folder until it is the data folder: the origin. */
  unfinished: 'unfinished-move.json',
  /** In the new folder while the old one is kept: the origin. */
  movedFrom: 'moved-from.json',
} as const;
type MoveMark = keyof typeof moveMarks;

const mark = z.object({ folder: z.string().min(1) });

/** The other folder; null where there is no such file. @throws {StartupError} when it cannot be read */
export const readMark = async (home: string, name: MoveMark): Promise<string | null> => {
  const path = join(home, moveMarks[name]);
  try {
    return mark.parse(JSON.parse(await readFile(path, 'utf8'))).folder;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new StartupError(`${path} cannot be read: ${message}`, { cause: error });
  }
};

/** On disk when it resolves. */
export const writeMark = async (home: string, name: MoveMark, folder: string): Promise<void> => {
  const path = join(home, moveMarks[name]);
  await writeFileAtomically(path, `${JSON.stringify({ folder })}\n`, 0o644);
  await syncFile(path);
  await syncFolder(home);
};

export const removeMark = async (home: string, name: MoveMark): Promise<void> => {
  await rm(join(home, moveMarks[name]), { force: true });
  await syncFolder(home);
};

/** Links are resolved, and on Windows case is ignored; a folder that does not exist is compared as written. */
export const isSameFolder = async (a: string, b: string): Promise<boolean> => {
  const [left, right] = await Promise.all([a, b].map((path) => realpath(path).catch(() => resolve(path))));
  if (process.platform !== 'win32') return left === right;
  return left?.toLowerCase() === right?.toLowerCase();
};

/** Whether a folder holds only the trace of an earlier data folder, or a copy of this one that was never finished. */
export const isFreeFor = async (home: string, target: string): Promise<boolean> => {
  if ((await lstat(target)).isSymbolicLink()) return false;
  const from = await readMark(target, 'unfinished');
  if (from !== null) return isSameFolder(from, home);
  return (await readdir(target)).every((name) => name === moveMarks.moved || name === 'lost+found');
};

const isMovedTo = async (from: string, home: string): Promise<boolean> => {
  const to = await readMark(from, 'moved');
  return to !== null && (await isSameFolder(to, home));
};

/** A mark that cannot be read leads nowhere; the program that holds the data folder then says why. */
const none = () => null;

/** Where an installation that was once in this folder is now; the folder itself, unless it was moved. */
export const followMoves = async (home: string): Promise<string> => {
  let current = home;
  // After a move there and back, a folder is met at most twice.
  for (const seen = new Set<string>(); !seen.has(current); ) {
    seen.add(current);
    const from = await readMark(current, 'unfinished').catch(none);
    if (from === null) current = (await readMark(current, 'moved').catch(none)) ?? current;
    else if (existsSync(stackEnvPath(from)) && !(await isMovedTo(from, current).catch(() => true)))
      current = from;
  }
  return current;
};

/** The data folder is another one. */
export class MovedHomeError extends StartupError {}

/**
 * Call this before starting anything in a data folder. Finishes a move that was killed right after its switch.
 * @throws {MovedHomeError} for a data folder that was moved elsewhere, and for a copy that was never finished
 */
export const demandOwnHome = async (home: string): Promise<void> => {
  const from = await readMark(home, 'unfinished');
  if (from !== null) {
    if (await isMovedTo(from, home)) return settleMove(from, home);
    throw new MovedHomeError(
      `${home} is an unfinished copy of ${from}, so nothing starts in it. Use ${from}.`,
    );
  }
  const to = await readMark(home, 'moved');
  if (to !== null)
    throw new MovedHomeError(
      `The installation in ${home} was moved to ${to}, so nothing starts here any more. ` +
        `Name the new folder with --home "${to}" or CASTELLAN_HOME.`,
    );
};

/** Writes what remains after the switch, in an order in which a kill leaves nothing wrong. */
export const settleMove = async (from: string, home: string): Promise<void> => {
  // Left by an earlier move out of the folder that is now moved into.
  await removeMark(home, 'moved');
  await writeMark(home, 'movedFrom', from);
  await removeMark(home, 'unfinished');
  await removeMark(from, 'moving');
};
