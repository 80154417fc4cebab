import { basename } from 'node:path';
import { isThereAt, pathsBeside, removeAt, renameAt } from '../folders/entries-at.ts';
import { demandStopped, type WhyNotStopped } from './proven-stopped.ts';
import {
  endRestore,
  type RestoreJournal,
  type RestoreSwap,
  readRestore,
  readUndone,
  writeRestore,
  writeUndone,
} from './restore-journal.ts';
import { inWords, SavesError } from './saves-error.ts';

/** Completes an interrupted restore or its undoing: forward once the worlds are being swapped, else back. The game must be stopped. */
export const finishRestore = async (stateFolder: string): Promise<void> => {
  const content = await readRestore(stateFolder);
  if (content?.stage === 'unpacking') await discardRestore(stateFolder, content);
  if (content?.stage === 'swapping') await finishSwaps(stateFolder, content);
  if (content?.stage === 'undoing') await finishUndoing(stateFolder, content);
};

/** Before any world has been swapped. */
export const discardRestore = async (stateFolder: string, { swaps }: RestoreJournal): Promise<void> => {
  for (const { fresh } of swaps) await removeAt(fresh);
  await endRestore(stateFolder);
};

const finishSwaps = async (stateFolder: string, content: RestoreJournal): Promise<void> => {
  for (const { place, fresh, before } of content.swaps) {
    if (!(await isThereAt(fresh))) continue;
    // A world that the game created while the other one was away is kept, too.
    if (await isThereAt(place)) await renameAt(place, await freeName(before));
    await renameAt(fresh, place);
  }
  await writeRestore(stateFolder, { ...content, stage: 'swapped' });
};

const finishUndoing = async (stateFolder: string, content: RestoreJournal): Promise<void> => {
  const { backup, swaps } = content;
  const left: string[] = [];
  for (const { place, before, undone, hadBefore = true } of swaps) {
    if (undone === undefined) continue;
    if (hadBefore ? await isThereAt(before) : !(await isThereAt(undone))) {
      if (await isThereAt(place)) await renameAt(place, await freeName(undone));
      if (hadBefore) await renameAt(before, place);
    }
    left.push(...(await asideOf(undone)), ...(await asideOf(before)));
  }
  // It contains all names until the folders are gone, so that none is forgotten on the disk.
  const earlier = (await readUndone(stateFolder))?.folders.filter((folder) => !left.includes(folder)) ?? [];
  await writeUndone(stateFolder, { backup, folders: [...left, ...earlier] });
  await endRestore(stateFolder);
  const stuck: string[] = [];
  // Folders that cannot be deleted now are deleted with the next confirmation.
  for (const folder of earlier) await removeAt(folder).catch(() => stuck.push(folder));
  await writeUndone(stateFolder, { backup, folders: [...left, ...stuck] });
};

/**
 * Swaps the worlds, as the journal's stage says, once the game is proven to be stopped. After a failure everything is swapped
 * back: left half-done, the next start of the agent would replace worlds that were played on since.
 * @throws {SavesError}
 */
export const changePlaces = async (
  stateFolder: string,
  content: RestoreJournal,
  whyNotStopped: WhyNotStopped,
): Promise<void> => {
  await writeRestore(stateFolder, content);
  try {
    // From here on the agent starts no game; one that was started just before is noticed now.
    await demandStopped(whyNotStopped);
    await finishRestore(stateFolder);
  } catch (error) {
    if ((await readRestore(stateFolder))?.stage === content.stage) await takeBack(stateFolder, content);
    throw error instanceof SavesError
      ? error
      : new SavesError(`The worlds could not change places, and nothing was changed: ${inWords(error)}`);
  }
};

const takeBack = async (stateFolder: string, content: RestoreJournal): Promise<void> => {
  try {
    for (const swap of content.swaps.toReversed()) await takeBackSwap(content.stage, swap);
    if (content.stage === 'swapping') await discardRestore(stateFolder, content);
    else await writeRestore(stateFolder, { ...content, stage: 'swapped' });
  } catch (error) {
    throw new SavesError(
      `The worlds have only half changed places: ${inWords(error)} The game is not started until they have: stop whatever uses them, then restart the agent.`,
    );
  }
};

const takeBackSwap = async (stage: RestoreJournal['stage'], swap: RestoreSwap): Promise<void> => {
  const { place, fresh, before, undone, hadBefore = true } = swap;
  const isUndoing = stage === 'undoing' && undone !== undefined;
  /** The world that was in place, and the one to put there. */
  const [was, comes] = isUndoing ? [undone, hadBefore ? before : null] : [before, fresh];
  const isAside = await isThereAt(was);
  if (comes !== null && !(await isThereAt(comes))) await renameAt(place, comes);
  else if (isAside && (await isThereAt(place))) await renameAt(place, await freeName(was));
  if (isAside) await renameAt(was, place);
};

/** Nothing is in the places that still need worlds: putting them there harms no running game. */
export const isAllMissing = async ({ stage, swaps }: RestoreJournal): Promise<boolean> => {
  for (const { place, fresh, before, undone, hadBefore = true } of swaps) {
    const isDue =
      stage !== 'undoing'
        ? await isThereAt(fresh)
        : hadBefore
          ? await isThereAt(before)
          : undone !== undefined && !(await isThereAt(undone));
    if (isDue && (await isThereAt(place))) return false;
  }
  return true;
};

/** A folder that was put aside, and others put beside it since. */
export const asideOf = async (path: string): Promise<string[]> => {
  const own = basename(path);
  return pathsBeside(path, (name) => name === own || name.startsWith(`${own}-`));
};

const freeName = async (path: string): Promise<string> => {
  let name = path;
  for (let count = 2; await isThereAt(name); count += 1) name = `${path}-${count}`;
  return name;
};
