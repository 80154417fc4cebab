import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ifAbsent } from '#runtime/absent-file.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { removeAt } from '../folders/entries-at.ts';

const swap = z.object({
  place: z.string(),
  /** Holds the new world. */
  fresh: z.string(),
  /** Holds the previous world. */
  before: z.string(),
  /** While it is undone: where the restored world goes, and whether there was a world before. */
  undone: z.string().optional(),
  hadBefore: z.boolean().optional(),
});

export type RestoreSwap = z.infer<typeof swap>;

/**
 * - `unpacking`: nothing of the game's was touched
 * - `swapping`: everything is unpacked and checked; the rest is renames, which the next start finishes
 * - `swapped`: the previous worlds wait for a confirmation, or to be put back
 * - `undoing`: they are being put back by renames, which the next start finishes
 */
const journal = z.object({
  stage: z.enum(['unpacking', 'swapping', 'swapped', 'undoing']),
  backup: z.string(),
  at: z.iso.datetime(),
  swaps: z.array(swap).min(1),
});
export type RestoreJournal = z.infer<typeof journal>;

const journalPath = (stateFolder: string) => join(stateFolder, 'restore.json');

/** The restore that is running, or waits for a confirmation. */
export const readRestore = async (stateFolder: string): Promise<RestoreJournal | null> => {
  const text = await readOrNone(journalPath(stateFolder));
  return text === null ? null : journal.parse(JSON.parse(text));
};

export const writeRestore = (stateFolder: string, content: RestoreJournal): Promise<void> =>
  writeFileAtomically(journalPath(stateFolder), JSON.stringify(content), 0o600);

export const endRestore = (stateFolder: string): Promise<void> =>
  rm(journalPath(stateFolder), { force: true });

/** Left by an undone restore: the restored worlds, with everything that the game wrote since. */
const undone = z.object({ backup: z.string(), folders: z.array(z.string()) });
type UndoneRestore = z.infer<typeof undone>;

const undonePath = (stateFolder: string) => join(stateFolder, 'restore-undone.json');

/** Null: none was undone since the last confirmation. */
export const readUndone = async (stateFolder: string): Promise<UndoneRestore | null> => {
  const text = await readOrNone(undonePath(stateFolder));
  return text === null ? null : undone.parse(JSON.parse(text));
};

export const writeUndone = (stateFolder: string, content: UndoneRestore): Promise<void> =>
  writeFileAtomically(undonePath(stateFolder), JSON.stringify(content), 0o600);

/** Deletes what an undone restore has left. @returns false: there is none */
export const discardUndone = async (stateFolder: string): Promise<boolean> => {
  const content = await readUndone(stateFolder);
  if (!content) return false;
  for (const folder of content.folders) await removeAt(folder);
  await rm(undonePath(stateFolder), { force: true });
  return true;
};

const readOrNone = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(ifAbsent(null));
