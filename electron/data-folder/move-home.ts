import { chown, mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { patientRemoval } from '#runtime/busy-file.ts';
import { syncFolder } from '#runtime/disk-sync.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import { nameOf } from '#runtime/owned-path.ts';
import { demandUnusedCluster } from '#runtime/postgres/cluster-lock.ts';
import { databaseIn, ofFileSystem } from '#runtime/postgres/database-state.ts';
import { isPostmasterRunning } from '#runtime/postgres/running-postmaster.ts';
import { StartupError } from '#runtime/program.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { takeOnWindows } from '#runtime/windows/take-on-windows.ts';
import { postgresFolder } from '../stack/operator-role.ts';
import { type CopyProgress, copyHome } from './copy-home.ts';
import { envPathChanges } from './env-paths.ts';
import {
  isFreeFor,
  isSameFolder,
  moveMarks,
  readMark,
  removeMark,
  settleMove,
  writeMark,
} from './move-marks.ts';
import { surveyHome } from './survey-home.ts';

export interface MoveProgress extends CopyProgress {
  readonly bytes: number;
  readonly files: number;
}

interface MoveOptions {
  /** The caller holds it, and nothing runs in it. */
  readonly home: string;
  /** A folder that `checkTarget` has found fine. */
  readonly target: string;
  /** Honoured until the switch. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: MoveProgress) => void;
}

type HomeMove =
  | { readonly outcome: 'moved' }
  /** The old data folder is unchanged, and what was copied is gone. */
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'failed'; readonly detail: string };

/**
 * Copies a data folder, verifies the copy and switches to it; the old one is kept. If the move is killed at any point, the
 * old one is in force before the switch, which is one file written atomically, and the new one after it.
 */
export const moveHome = async (options: MoveOptions): Promise<HomeMove> => {
  const { home, target, signal } = options;
  /** Removed again when the move does not succeed. */
  let made: string | undefined;
  try {
    await demandStopped(home);
    // Left by an earlier attempt, here or elsewhere.
    await clearHalf(home);
    await writeMark(home, 'moving', target);
    if ((await halfCopyOf(home)) !== null) {
      await clearHalf(home);
      await writeMark(home, 'moving', target);
    }
    made = await mkdir(target, { recursive: true, mode: 0o711 });
    // The earlier check may be long ago; from here on everything in the folder counts as the copy, and is removed with it.
    if (!(await isFreeFor(home, target)))
      throw new StartupError(`${target} is not empty. Choose an empty folder.`);
    // While the folder is still empty, so that everything in it inherits the same permissions.
    if (process.platform === 'win32') await takeOnWindows(target, () => false);
    else await demandNotForeign(home, target);
    await writeMark(target, 'unfinished', home);
    await prepare(options);
    if (made !== undefined) await syncUpTo(target, made);
    await demandStopped(home);
    const database = databaseIn(join(postgresFolder(target), 'data'));
    if (database !== 'whole' && databaseIn(join(postgresFolder(home), 'data')) !== 'none')
      throw new StartupError(`The copy in ${target} holds no whole database.`);
    signal.throwIfAborted();
    await switchOver(home, target);
  } catch (error) {
    const isClean = await clearHalf(home).catch(() => false);
    if (made !== undefined) await removeEmpty(target, made);
    if (signal.aborted) return { outcome: 'cancelled' };
    const left = isClean ? '' : ` What was copied so far is still in ${target}.`;
    return { outcome: 'failed', detail: `${(error as Error).message}${left}` };
  }
  // The new one is in force from here on; its next start writes whatever fails here.
  await settleMove(home, target).catch(() => undefined);
  return { outcome: 'moved' };
};

/** What is copied into it would be that account's. */
const demandNotForeign = async (home: string, target: string): Promise<void> => {
  const { uid } = await stat(target);
  if ([0, process.geteuid?.(), (await stat(home)).uid].includes(uid)) return;
  throw new StartupError(
    `${target} belongs to the account ${await nameOf(uid)}. Choose another folder, or one that does not exist yet.`,
  );
};

const demandStopped = async (home: string): Promise<void> => {
  if (await isPostmasterRunning(join(postgresFolder(home), 'data')))
    throw new StartupError(`The database in ${home} is still running. Stop it first.`);
  await demandUnusedCluster(postgresFolder(home));
};

/** For each folder that was created, flushes its parent. */
const syncUpTo = async (folder: string, topmost: string): Promise<void> => {
  await syncFolder(dirname(folder));
  if (folder !== topmost && folder !== dirname(folder)) await syncUpTo(dirname(folder), topmost);
};

const prepare = async ({ home, target, signal, onProgress }: MoveOptions): Promise<void> => {
  const survey = await surveyHome(home);
  const changes = await envPathChanges(home);
  const { bytes, files } = survey;
  await copyHome({
    home,
    target,
    survey,
    signal,
    onProgress: (progress) => onProgress({ ...progress, bytes, files }),
  });
  if (Object.keys(changes).length > 0) await editEnvFile(stackEnvPath(target), changes);
  if (process.getuid?.() !== 0) return;
  // The account that the stack runs under writes its marks there.
  const { uid, gid } = await stat(home);
  await chown(target, uid, gid);
};

const switchOver = async (home: string, target: string): Promise<void> => {
  try {
    await writeMark(home, 'moved', target);
  } catch (error) {
    // A mark that could not be flushed to disk may still be there, and then holds.
    if ((await readMark(home, 'moved')) === null) throw error;
  }
};

/**
 * Removes the half copy that a move out of this data folder left, if there is one; its mark last, so that after a kill the
 * next call still finds it.
 * @returns whether nothing is left
 */
export const clearHalf = async (home: string): Promise<boolean> => {
  const half = await halfCopyOf(home);
  if (half !== null) {
    for (const name of await readdir(half)) if (!spared.has(name)) await remove(join(half, name));
    await remove(join(half, moveMarks.unfinished));
  }
  await removeMark(home, 'moving');
  return true;
};

/** Removes the folder and its parents, up to the topmost one created for it, unless someone has put something there since. */
const removeEmpty = async (folder: string, topmost: string): Promise<void> => {
  const isGone = await rmdir(folder).then(
    () => true,
    () => false,
  );
  if (isGone && folder !== topmost && folder !== dirname(folder)) await removeEmpty(dirname(folder), topmost);
};

/** The trace of an earlier data folder stays, for those who follow it. */
const spared: ReadonlySet<string> = new Set([moveMarks.unfinished, moveMarks.moved, ...ofFileSystem]);

/** Where a move out of this data folder was cut short; null when none was, and after a switch. */
export const halfCopyOf = async (home: string): Promise<string | null> => {
  const target = await readMark(home, 'moving');
  if (target === null || (await readMark(home, 'moved')) !== null) return null;
  const from = await readMark(target, 'unfinished');
  return from !== null && (await isSameFolder(from, home)) ? target : null;
};

/** Links are removed, never followed; files that a virus scanner has open are waited for. */
export const remove = (path: string): Promise<void> => rm(path, patientRemoval);
