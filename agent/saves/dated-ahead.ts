import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type DatedAhead,
  notesAfter,
  readDatedAheadIn,
  writeDatedAheadIn,
} from '#runtime/backup/dated-ahead.ts';
import { type ClockLook, sinceStartMs } from '#runtime/clock.ts';
import type { ListedBackup } from './backup-folder.ts';

const aheadFile = (stateFolder: string): string => join(stateFolder, 'saves-dated-ahead.json');

/** Of this process, by file: a clock that leaps from one to the next was behind. */
const lastLooks = new Map<string, ClockLook>();

/** Notes which backups are dated ahead of now, so that they are known once these dates have passed. */
export const noteDatedAhead = async (
  stateFolder: string,
  backups: readonly Pick<ListedBackup, 'name' | 'at'>[],
  now: Date,
): Promise<DatedAhead> => {
  const file = aheadFile(stateFolder);
  const known = await readDatedAheadIn(file);
  const dated = backups.map(({ name, at }) => ({ name, takenAt: at }));
  const look = { nowMs: now.getTime(), monotonicMs: sinceStartMs() };
  const notes = notesAfter(known, dated, look, lastLooks.get(file) ?? null);
  lastLooks.set(file, look);
  // On a full disk they are noted later; lists and the deletion of old backups, which makes room, go on.
  if (!isDeepStrictEqual(notes, known)) await writeDatedAheadIn(file, notes).catch(() => undefined);
  return notes;
};
