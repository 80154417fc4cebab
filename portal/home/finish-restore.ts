import { finishHomeRestore, isRestoreUnfinished } from '#runtime/backup/restore-home.ts';
import type { homeFolder } from '#runtime/home.ts';
import { portalHome } from '../config.ts';
import { tryToLockHome } from './home-lock.ts';

/** Finishes a restore that was interrupted after its switch; runs before the settings are read, which the restore also replaces. */
export const finishRestore = async (variables: Parameters<typeof homeFolder>[2]): Promise<void> => {
  const home = portalHome(variables);
  if (!isRestoreUnfinished(home)) return;
  // Another process holds the lock and finishes it.
  await using lock = await lockOf(home);
  if (lock !== null) await finishHomeRestore(home);
};

const lockOf = async (home: string): Promise<AsyncDisposable | null> => {
  const lock = await tryToLockHome(home, 'command');
  return lock.held ? lock : null;
};
