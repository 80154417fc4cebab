import { existsSync } from 'node:fs';
import { chmod, cp, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAbsent } from '../absent-file.ts';
import { briefMs, patientRemoval, whenNotBusy } from '../busy-file.ts';
import { syncFolder, syncTree } from '../disk-sync.ts';
import { StartupError } from '../program.ts';
import { accountFor, giveTo } from './account.ts';
import { manifestName, readDatabaseManifest } from './backup.ts';
import { checksumsName, demandSoundBackup } from './backup-checksums.ts';
import { isPostmasterRunning } from './running-postmaster.ts';

/** The copy while it is being made, and once it is complete. */
const copying = (dataFolder: string): string => `${dataFolder}.restore.part`;
const copied = (dataFolder: string): string => `${dataFolder}.restore`;
const replacedPrefix = (dataFolder: string): string => `${dataFolder}.replaced-`;

/** Replaces the data folder of a stopped cluster with a backup. The present data is kept beside it, and its path is returned. */
export const restoreBackup = async (backup: string, dataFolder: string): Promise<string | null> => {
  if (await isPostmasterRunning(dataFolder))
    throw new StartupError('Stop the stack before restoring a backup.');
  const { checksums } = await readDatabaseManifest(backup);
  await demandSoundBackup(backup, { extent: 'all', isListed: checksums === true });
  const half = copying(dataFolder);
  const whole = copied(dataFolder);
  for (const left of [half, whole]) await rm(left, patientRemoval);
  await cp(backup, half, { recursive: true });
  // Copied back from a disk without permissions it would be open to others, and Postgres would refuse it.
  await chmod(half, 0o700);
  for (const name of [manifestName, checksumsName]) await rm(join(half, name), patientRemoval);
  const account = accountFor(dataFolder);
  if (account) await giveTo(account, half);
  await syncTree(half);
  await whenNotBusy(() => rename(half, whole));
  const kept = existsSync(dataFolder) ? `${replacedPrefix(dataFolder)}${Date.now()}` : null;
  if (kept !== null) await whenNotBusy(() => rename(dataFolder, kept));
  await putInPlace(dataFolder);
  return kept;
};

/**
 * Finishes a restore that was interrupted after it had moved the old data; for a missing or empty data folder.
 * @returns whether there was one, and the data folder exists now
 * @throws {StartupError} when an interrupted restore left something unusable that must not be ignored either
 */
export const finishRestore = async (dataFolder: string): Promise<boolean> => {
  if (existsSync(copied(dataFolder))) {
    await removeEmpty(dataFolder);
    await putInPlace(dataFolder);
    return true;
  }
  const marks = [copying(dataFolder), replacedPrefix(dataFolder)].map((path) => basename(path));
  const left = (await readdir(dirname(dataFolder))).filter((name) =>
    marks.some((mark) => name.startsWith(mark)),
  );
  if (left.length === 0) return false;
  throw new StartupError(
    `The database is missing: there is no ${dataFolder}, but beside it ${left.join(', ')}. ` +
      'Restore a backup, or rename what holds the data; to begin with an empty database, move these away.',
  );
};

/** @throws {StartupError} for the top of a disk, which no other folder can replace */
export const removeEmpty = async (dataFolder: string): Promise<void> => {
  try {
    await whenNotBusy(() => rmdir(dataFolder), briefMs);
  } catch (error) {
    if (isAbsent(error)) return;
    throw new StartupError(
      `${dataFolder} is empty and cannot be replaced by a database: ${(error as Error).message}. ` +
        'If a disk is mounted there, mount it one folder further up.',
      { cause: error },
    );
  }
};

const putInPlace = async (dataFolder: string): Promise<void> => {
  await whenNotBusy(() => rename(copied(dataFolder), dataFolder));
  await syncFolder(dirname(dataFolder));
};
