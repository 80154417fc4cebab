import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { answers } from '../answering-folder.ts';
import { writeFileAtomically } from '../atomic-write.ts';
import { whenNotBusy } from '../busy-file.ts';
import { removeSteadily } from '../disk-worker/steady-copy.ts';
import { BackupUnderWayError, backupsFolder, halfSuffix } from '../postgres/backup.ts';
import { DamagedDatabaseError } from '../postgres/damaged-database.ts';
import { readJsonFile } from '../read-json.ts';
import { causeText } from './backup-cause.ts';
import { listBackups } from './backup-manifest.ts';
import { readBackupChecks } from './check-backups.ts';
import type { DatedAhead } from './dated-ahead.ts';
import { outdatedBackups } from './rotation.ts';
import { type TakenBackup, takeFullBackup } from './take-full-backup.ts';

const attemptFile = (home: string): string => join(backupsFolder(home), 'last-attempt.json');

const backupAttempt = z.object({
  /** When it ended. */
  at: z.iso.datetime(),
  outcome: z.enum(['taken', 'failed']),
  /** Path of the backup; null when there is none. */
  path: z.string().nullable(),
  reason: z.string(),
  bytes: z.int().nonnegative().nullable(),
  /** Why it failed, in words. */
  detail: z.string().nullable(),
  /** The running database was found damaged, and no backup has been taken since. */
  damage: z.object({ since: z.iso.datetime(), detail: z.string() }).nullable().default(null),
});
export type BackupAttempt = z.output<typeof backupAttempt>;

/** The outcome of the last full backup of this data folder, by any program; null when none was tried, or the record is gone. */
export const readLastAttempt = (home: string): Promise<BackupAttempt | null> =>
  // None yet, or a file that only a person can have damaged: the next attempt rewrites it.
  readJsonFile(backupAttempt, attemptFile(home));

/**
 * Takes a full backup and writes its outcome into the data folder. A backup that does not start because another one is running
 * has none.
 * @throws as `takeFullBackup`
 */
export const backUpHome = async (options: Parameters<typeof takeFullBackup>[0]): Promise<TakenBackup> => {
  const { home } = options;
  const reason = causeText(options.cause);
  const tell = async (attempt: Omit<BackupAttempt, 'at' | 'reason'>) => {
    if (!(await answers(backupsFolder(home)))) return;
    const text = `${JSON.stringify({ at: new Date().toISOString(), reason, ...attempt })}\n`;
    try {
      // The folder may be missing where backups go to another disk.
      await mkdir(backupsFolder(home), { recursive: true, mode: 0o700 });
      await writeFileAtomically(attemptFile(home), text, 0o600);
    } catch {
      // The disk is full: the caller still learns the outcome of the backup itself.
    }
  };
  try {
    const taken = await takeFullBackup(options);
    await tell({ outcome: 'taken', path: taken.path, bytes: taken.bytes, detail: null, damage: null });
    return taken;
  } catch (error) {
    if (error instanceof BackupUnderWayError) throw error;
    const detail = (error as Error).message;
    const damage = await damageAfter(home, error, new Date().toISOString());
    await tell({ outcome: 'failed', path: null, bytes: null, detail, damage });
    throw error;
  }
};

/** What is known of damage after a failed attempt: the first to find it keeps its time. @param at ISO 8601 */
export const damageAfter = async (
  home: string,
  error: unknown,
  at: string,
): Promise<BackupAttempt['damage']> => {
  const found = error instanceof DamagedDatabaseError ? { since: at, detail: error.message } : null;
  const last = (await answers(backupsFolder(home))) ? await readLastAttempt(home) : null;
  return last?.damage ?? found;
};

/**
 * A task of a disk worker: deletes the outdated nightly backups of a data folder; only in its own backups folder, since people keep backups elsewhere.
 * Damaged ones stay for a person and take no other one's place. Each one is renamed first: a half-deleted one must not look like a
 * backup.
 */
export const deleteOutdated = async ({
  home,
  nowMs,
  days,
  seenAhead,
}: {
  readonly home: string;
  readonly nowMs: number;
  /** How many keep their nightly backup. */
  readonly days: number;
  readonly seenAhead: DatedAhead;
}): Promise<void> => {
  const folder = backupsFolder(home);
  const checks = await readBackupChecks(home);
  const sound = (await listBackups(folder)).filter(({ name }) => !checks[name]?.fault);
  for (const { name } of outdatedBackups(sound, nowMs, { days, seenAhead })) {
    const path = join(folder, name);
    await whenNotBusy(() => rename(path, path + halfSuffix));
    await removeSteadily(path + halfSuffix);
  }
};
