import { rename } from 'node:fs/promises';
import { whenNotBusy } from '#runtime/busy-file.ts';
import {
  endRestore,
  isThere,
  type RestoreJournal,
  readRestore,
  readUndone,
  removeFolder,
  writeRestore,
  writeUndone,
} from './restore-journal.ts';

/**
 * Ends what a restore or its undoing that was cut off has begun: forward once the worlds change places, else back. The game
 * must be stopped.
 */
export const finishRestore = async (stateFolder: string): Promise<void> => {
  const content = await readRestore(stateFolder);
  if (content?.stage === 'unpacking') await discardRestore(stateFolder, content);
  if (content?.stage === 'swapping') await finishSwaps(stateFolder, content);
  if (content?.stage === 'undoing') await finishUndoing(stateFolder, content);
};

/** Before any world has changed its place. */
export const discardRestore = async (stateFolder: string, { swaps }: RestoreJournal): Promise<void> => {
  for (const { fresh } of swaps) await removeFolder(fresh);
  await endRestore(stateFolder);
};

const finishSwaps = async (stateFolder: string, content: RestoreJournal): Promise<void> => {
  for (const { place, fresh, before } of content.swaps) {
    if (!(await isThere(fresh))) continue;
    // A world that the game made while the other one was away is kept, too.
    if (await isThere(place)) await move(place, await freeName(before));
    await move(fresh, place);
  }
  await writeRestore(stateFolder, { ...content, stage: 'swapped' });
};

const finishUndoing = async (stateFolder: string, content: RestoreJournal): Promise<void> => {
  const { backup, swaps } = content;
  const left: string[] = [];
  for (const { place, before, undone, hadBefore = true } of swaps) {
    if (undone === undefined) continue;
    if (hadBefore ? await isThere(before) : !(await isThere(undone))) {
      if (await isThere(place)) await move(place, await freeName(undone));
      if (hadBefore) await move(before, place);
    }
    for (const path of [undone, other(undone), other(before)]) if (await isThere(path)) left.push(path);
  }
  // All names stand in it until the folders are gone, so that none is forgotten on the disk.
  const earlier = (await readUndone(stateFolder))?.folders.filter((folder) => !left.includes(folder)) ?? [];
  await writeUndone(stateFolder, { backup, folders: [...left, ...earlier] });
  await endRestore(stateFolder);
  for (const folder of earlier) await removeFolder(folder);
  await writeUndone(stateFolder, { backup, folders: left });
};

/** Where something stands under a name already. */
export const other = (path: string): string => `${path}-2`;
const freeName = async (path: string): Promise<string> => ((await isThere(path)) ? other(path) : path);

const move = (from: string, to: string): Promise<void> => whenNotBusy(() => rename(from, to));
