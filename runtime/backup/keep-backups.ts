import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '../atomic-write.ts';
import { whenNotBusy } from '../busy-file.ts';
import { BackupUnderWayError, backupsFolder, halfSuffix } from '../postgres/backup.ts';
import { causeText } from './backup-cause.ts';
import { listBackups } from './backup-manifest.ts';
import { outdatedBackups } from './rotation.ts';
import { type FullBackupOptions, type TakenBackup, takeFullBackup } from './take-full-backup.ts';

const attemptFile = (home: string): string => join(backupsFolder(home), 'last-attempt.json');

const backupAttempt = z.object({
  /** When it ended. */
  at: z.iso.datetime(),
  outcome: z.enum(['taken', 'failed']),
  /** Where the backup lies; null when there is none. */
  path: z.string().nullable(),
  reason: z.string(),
  bytes: z.int().nonnegative().nullable(),
  /** Why it failed, in words. */
  detail: z.string().nullable(),
});
export type BackupAttempt = z.output<typeof backupAttempt>;

/** The outcome of the last full backup of this home, from any program; null when none was tried, or the record is gone. */
export const readLastAttempt = async (home: string): Promise<BackupAttempt | null> => {
  try {
    return backupAttempt.parse(JSON.parse(await readFile(attemptFile(home), 'utf8')));
  } catch {
    // None yet, or a file that only a person can have damaged: the next attempt writes it again.
    return null;
  }
};

/**
 * Takes a full backup and writes its outcome into the home. One that has not begun, since another is being taken, has none.
 * @throws as `takeFullBackup`
 */
export const backUpHome = async (options: FullBackupOptions): Promise<TakenBackup> => {
  const { home } = options;
  const reason = causeText(options.cause);
  const tell = async (attempt: Omit<BackupAttempt, 'at' | 'reason'>) => {
    const text = `${JSON.stringify({ at: new Date().toISOString(), reason, ...attempt })}\n`;
    try {
      // Not there yet where backups go to another disk.
      await mkdir(backupsFolder(home), { recursive: true, mode: 0o700 });
      await writeFileAtomically(attemptFile(home), text, 0o600);
    } catch {
      // A full disk: the caller is told of the backup itself, and keeps what came of it.
    }
  };
  try {
    const taken = await takeFullBackup(options);
    await tell({ outcome: 'taken', path: taken.path, bytes: taken.bytes, detail: null });
    return taken;
  } catch (error) {
    if (error instanceof BackupUnderWayError) throw error;
    await tell({ outcome: 'failed', path: null, bytes: null, detail: (error as Error).message });
    throw error;
  }
};

/**
 * Deletes the nightly backups of a home that are outdated; only in its own folder, since a person keeps the others. Each is
 * renamed first: one that is half deleted must not pass for a backup.
 */
export const deleteOutdated = async (home: string): Promise<void> => {
  const folder = backupsFolder(home);
  for (const { name } of outdatedBackups(await listBackups(folder))) {
    const path = join(folder, name);
    await whenNotBusy(() => rename(path, path + halfSuffix));
    await rm(path + halfSuffix, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
};
