import { basename, dirname, join } from 'node:path';
import { isThereAt } from '../folders/entries-at.ts';
import { holdBackups, type SavesSettings } from './backup-saves.ts';
import { changePlaces, finishRestore } from './finish-restore.ts';
import { demandStopped, type WhyNotStopped } from './proven-stopped.ts';
import { readRestore, readUndone } from './restore-journal.ts';
import { SavesError } from './saves-error.ts';

/**
 * Puts back the worlds that a restore has put aside. The restored worlds, with everything that the game wrote since, stay beside
 * them until the next restore is confirmed or undone.
 * @returns the folders that hold them
 */
export const undoRestore = async ({
  settings,
  backup,
  whyNotStopped,
}: {
  readonly settings: Pick<SavesSettings, 'stateFolder' | 'backupFolder'>;
  /** Null: the one that waits, whatever its backup. */
  readonly backup: string | null;
  readonly whyNotStopped: WhyNotStopped;
}): Promise<readonly string[]> => {
  const { stateFolder, backupFolder } = settings;
  await using _held = await holdBackups(backupFolder);
  await demandStopped(whyNotStopped);
  await finishRestore(stateFolder);
  const content = await readRestore(stateFolder);
  if (content?.stage !== 'swapped')
    throw new SavesError('No restore can be undone: it was confirmed or undone already.');
  if (backup !== null && content.backup !== backup) throw new SavesError('Another backup was restored last.');
  const tag = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const swaps = await Promise.all(
    content.swaps.map(async (swap) => ({
      ...swap,
      undone: join(dirname(swap.place), `.${basename(swap.place)}.castellan-undone-${tag}`),
      hadBefore: await isThereAt(swap.before),
    })),
  );
  await changePlaces(stateFolder, { ...content, stage: 'undoing', swaps }, whyNotStopped);
  return (await readUndone(stateFolder))?.folders ?? [];
};
