import type { Stats } from 'node:fs';
import { ModsError } from '../mods-error.ts';

const writableByOthers = 0o022;

/**
 * Root works by paths only where root alone may change the folders: what another account may change would be a link by the time
 * that it is used.
 * @throws {ModsError}
 */
export const demandRootAlone = (path: string, { uid, mode }: Pick<Stats, 'uid' | 'mode'>): void => {
  if (process.geteuid?.() !== 0) return;
  if (uid === 0 && (mode & writableByOthers) === 0) return;
  throw new ModsError(
    `Another account than root may change ${path}, but not the server's folder around it, which is root's. Give the whole folder to the account of the game (chown -R), or ${path} to root alone.`,
  );
};
