import { readdirSync } from 'node:fs';
import { isNoAccess, NoAccessError, noAccessWords } from '../path-access.ts';

/**
 * What is in the data folder of a cluster. `half`: files without PG_VERSION, by which Postgres knows a database, as a copy that was
 * cut off leaves them. `none`: nothing at all, as an empty folder, which fails at every start if it counts as a database.
 */
export type DatabaseState = 'none' | 'half' | 'whole';

/** File systems put these at their top themselves. */
export const ofFileSystem: ReadonlySet<string> = new Set(['lost+found', 'System Volume Information']);

/** @throws {NoAccessError} where this account may not look: what is there may be whole */
export const databaseIn = (dataFolder: string): DatabaseState => {
  try {
    const names = readdirSync(dataFolder).filter((name) => !ofFileSystem.has(name));
    if (names.length === 0) return 'none';
    return names.includes('PG_VERSION') ? 'whole' : 'half';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'none';
    if (code === 'ENOTDIR') return 'half';
    if (isNoAccess(error)) throw new NoAccessError(noAccessWords(dataFolder), { cause: error });
    throw error;
  }
};

/** For people: a half database, and what to do about it. */
export const halfDatabaseWords = (dataFolder: string): string =>
  `The database in ${dataFolder} is not whole: it was never completed, or files of it are missing. Restore a backup. If nothing of it is needed, move that folder away, then start again.`;
