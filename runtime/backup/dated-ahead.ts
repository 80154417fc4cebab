import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '../atomic-write.ts';
import type { ClockLook } from '../clock.ts';
import { clockSetByMs, isAhead } from '../is-ahead.ts';
import { backupsFolder } from '../postgres/backup.ts';
import { readJsonFile } from '../read-json.ts';
import type { KeptBackup } from './backup-manifest.ts';

const aheadFile = (home: string): string => join(backupsFolder(home), 'dated-ahead.json');

/**
 * By name of a backup, when it was first seen to be dated ahead of now. Such a date stays wrong after it has passed: without this
 * note, the backup would be the newest one on that day.
 */
const datedAhead = z.record(z.string(), z.iso.datetime());
export type DatedAhead = Readonly<z.output<typeof datedAhead>>;

type Dated = Pick<KeptBackup, 'name' | 'takenAt'>;

export const readDatedAheadIn = async (file: string): Promise<DatedAhead> =>
  // None yet, or a file that only a person can have damaged: it is written again.
  (await readJsonFile(datedAhead, file)) ?? {};

/** @throws when the folder is missing, or its disk is full */
export const writeDatedAheadIn = (file: string, notes: DatedAhead): Promise<void> =>
  writeFileAtomically(file, `${JSON.stringify(notes)}\n`, 0o600);

/** Of Castellan's own backups. */
export const readDatedAhead = (home: string): Promise<DatedAhead> => readDatedAheadIn(aheadFile(home));
export const writeDatedAhead = (home: string, notes: DatedAhead): Promise<void> =>
  writeDatedAheadIn(aheadFile(home), notes);

const isAheadOf = ({ takenAt }: Dated, nowMs: number): boolean => isAhead(Date.parse(takenAt), nowMs);

/** Whether the date of a backup lies ahead of now, or did when it was first seen. */
export const isDatedAhead = (backup: Dated, notes: DatedAhead, nowMs: number): boolean =>
  backup.name in notes || isAheadOf(backup, nowMs);

/**
 * The notes after a look at the backups. One that is passed by a leap of the clock was not dated ahead: the clock was behind.
 * @param before the last look of this process; null: none
 */
export const notesAfter = (
  notes: DatedAhead,
  backups: readonly Dated[],
  now: ClockLook,
  before: ClockLook | null,
): DatedAhead => {
  const next = { ...notes };
  const hasLeapt = before !== null && clockSetByMs(before, now) > 0;
  for (const backup of backups)
    if (isAheadOf(backup, now.nowMs)) next[backup.name] ??= new Date(now.nowMs).toISOString();
    else if (hasLeapt && isAheadOf(backup, before.nowMs)) delete next[backup.name];
  return next;
};
