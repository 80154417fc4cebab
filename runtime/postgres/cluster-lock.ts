import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type FolderLock, FolderLockUnavailable, lockFolderWithin } from '../folder-lock.ts';
import { StartupError } from '../program.ts';
import { type PostmasterLock, readLock } from './family.ts';

/** The children of a killed postmaster need a moment to notice it. */
const lastProcessMs = 5000;

/**
 * The only Postgres on these files has this lock, also where its processes cannot be seen, as in another container.
 * The postmaster and its children inherit it, so it lasts as long as any of them. @returns null: nothing can be locked here
 */
export const lockCluster = async (
  folder: string,
  onLine: (line: string) => void,
): Promise<FolderLock | null> => {
  try {
    const lock = await lockFolderWithin(folder, lastProcessMs);
    if (lock !== null) return lock;
  } catch (error) {
    if (!(error instanceof FolderLockUnavailable)) throw error;
    onLine(`WARNING:  ${error.message}`);
    return null;
  }
  throw new ClusterInUseError(folder, await readLock(join(folder, 'data')));
};

/** A Postgres that this process cannot see or stop works on the files. */
class ClusterInUseError extends StartupError {
  constructor(folder: string, lock: PostmasterLock | null) {
    const since = lock?.startedMs == null ? '' : `, since ${new Date(lock.startedMs).toISOString()}`;
    const who = lock === null ? '' : ` (process ${lock.pid} there${since})`;
    super(
      `The database in ${folder} is in use by a Postgres of another container or machine${who}. Stop it there, then start again.`,
    );
  }
}

/** @throws {ClusterInUseError} if a Postgres works on the files of `folder`, which its own family does not show */
export const demandUnusedCluster = async (folder: string): Promise<void> => {
  if (!existsSync(folder)) return;
  await using _lock = await lockCluster(folder, () => undefined);
};
