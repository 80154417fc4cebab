import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type DatedAhead,
  notesAfter,
  readDatedAheadIn,
  writeDatedAheadIn,
} from '#runtime/backup/dated-ahead.ts';
import type { ListedBackup } from './backup-folder.ts';

const aheadFile = (stateFolder: string): string => join(stateFolder, 'saves-dated-ahead.json');

/** Notes which backups are dated ahead of now, so that they are known once these dates have passed. */
export const noteDatedAhead = async (
  stateFolder: string,
  backups: readonly ListedBackup[],
  now: Date,
): Promise<DatedAhead> => {
  const file = aheadFile(stateFolder);
  const known = await readDatedAheadIn(file);
  const dated = backups.map(({ name, at }) => ({ name, takenAt: at }));
  const notes = notesAfter(known, dated, { nowMs: now.getTime(), monotonicMs: 0 }, null);
  // On a full disk they are noted later; lists and the deletion of old backups, which makes room, go on.
  if (!isDeepStrictEqual(notes, known)) await writeDatedAheadIn(file, notes).catch(() => undefined);
  return notes;
};
