import type { Stats } from 'node:fs';
import { ModsError } from '../mods-error.ts';

const writableByOthers = 0o022;

/**
 * Root uses paths only in folders that root alone may change: anything that another account may change could be a link when it is
 * used.
 * @throws {ModsError}
 */
export const demandRootAlone = (path: string, { uid, mode }: Pick<Stats, 'uid' | 'mode'>): void => {
  if (process.geteuid?.() !== 0) return;
  if (uid === 0 && (mode & writableByOthers) === 0) return;
  throw new ModsError(
    `Another account than root may change ${path}, but not the server's folder around it, which is root's. Give the whole folder to the account of the game (chown -R), or ${path} to root alone.`,
  );
};
