import { lstat, mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { patientRemoval, whenNotBusy } from '#runtime/busy-file.ts';
import { syncFolder } from '#runtime/disk-sync.ts';
import type { ChangeJournal, Move } from './change-journal.ts';
import { demandRootAlone } from './folder/root-folder.ts';
import { ModsError } from './mods-error.ts';

export type Swap = Pick<ChangeJournal, 'folder' | 'moves' | 'made'>;

export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );

/** Puts the new set in place. After a failure, `swapBack` cleans up. @throws {ModsError} */
export const swapIn = async ({ moves, made }: Swap): Promise<void> => {
  for (const folder of made) await makeFolder(folder);
  for (const { place, fresh, before } of moves) {
    await demandFolder(dirname(place));
    if (before !== null) await move(place, before);
    if (fresh === null) continue;
    if (await isThere(place)) throw new ModsError(`${place} appeared in the meantime, and is not ours.`);
    await move(fresh, place);
  }
  await flush({ moves, made });
};

/** Puts the old set back from wherever `swapIn` or an earlier `swapBack` has stopped. */
export const swapBack = async ({ folder, moves, made }: Swap): Promise<void> => {
  for (const [at, one] of [...moves.entries()].reverse()) await moveBack(one, join(folder, `trial-${at}`));
  for (const path of made.toReversed()) await removeEmpty(path);
  await flush({ moves, made: [] });
};

const moveBack = async ({ place, fresh, before }: Move, trial: string): Promise<void> => {
  const isAside = before !== null && (await isThere(before));
  if (fresh !== null && !(await isThere(fresh))) {
    if (await isThere(place)) await move(place, fresh);
  } else if (isAside && (await isThere(place))) {
    // The game created it while it was tried with the new set.
    await rm(trial, patientRemoval);
    await move(place, trial);
  }
  if (isAside) await move(before, place);
};

/** Completes the new set: files that someone else has changed are moved beside their places, and empty folders are removed. */
export const keepSwap = async (root: string, { moves }: Swap): Promise<void> => {
  for (const { before, kept } of moves)
    if (before !== null && kept !== null && (await isThere(before))) await move(before, kept);
  for (const { place, fresh } of moves) {
    if (fresh !== null || !place.startsWith(root + sep)) continue;
    // Not the folder for mods itself.
    for (let path = dirname(place); dirname(path) !== root && path !== root; path = dirname(path))
      if (!(await removeEmpty(path))) break;
  }
  await flush({ moves, made: [] });
};

/** For folders of ended changes. */
export const removeFolder = (path: string): Promise<void> => rm(path, patientRemoval);

const move = (from: string, to: string): Promise<void> => whenNotBusy(() => rename(from, to));

const makeFolder = async (path: string): Promise<void> => {
  await demandFolder(dirname(path));
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await demandFolder(path);
};

/** A link would lead one of our files to a place where the game's account may not write. @throws {ModsError} */
const demandFolder = async (path: string): Promise<void> => {
  const facts = await lstat(path);
  if (!facts.isDirectory())
    throw new ModsError(`${path} is a link or no folder. Mods are changed only in the server's own folders.`);
  demandRootAlone(path, facts);
};

/** @returns whether it is gone */
const removeEmpty = (path: string): Promise<boolean> =>
  rmdir(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES', 'EBUSY'].includes(error.code ?? '')) return false;
      if (error.code === 'ENOENT') return true;
      throw error;
    },
  );

/** Makes all renames so far survive a power cut: only then may the journal say so. */
const flush = async ({ moves, made }: Pick<Swap, 'moves' | 'made'>): Promise<void> => {
  const folders = new Set(made.map((path) => dirname(path)));
  for (const { place, fresh, before } of moves)
    for (const path of [place, fresh, before]) if (path !== null) folders.add(dirname(path));
  for (const folder of folders) if (await isThere(folder)) await syncFolder(folder);
};
