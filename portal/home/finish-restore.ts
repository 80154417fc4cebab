import { findLeftRestore, finishHomeRestore, leftRestoreWords } from '#runtime/backup/restore-journal.ts';
import type { homeFolder } from '#runtime/home.ts';
import { portalHome } from '../config.ts';
import { tryToLockHome } from './home-lock.ts';

/**
 * Finishes or removes what a killed restore left; runs before the settings are read, which the restore also replaces.
 * @param say called with what was done
 */
export const finishRestore = async (
  variables: Parameters<typeof homeFolder>[2],
  say: (words: string) => void,
): Promise<void> => {
  const home = portalHome(variables);
  if ((await findLeftRestore(home)) === null) return;
  // Another process holds the lock: it restores at the moment, or finishes this.
  await using lock = await lockOf(home);
  if (lock === null) return;
  const left = await finishHomeRestore(home);
  if (left !== null) say(leftRestoreWords[left]);
};

const lockOf = async (home: string): Promise<AsyncDisposable | null> => {
  const lock = await tryToLockHome(home, 'command');
  return lock.held ? lock : null;
};
