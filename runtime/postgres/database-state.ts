import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { isNoAccess, NoAccessError, noAccessWords } from '../path-access.ts';
import { StartupError } from '../program.ts';

/**
 * What is in the data folder of a cluster. `half`: files without PG_VERSION, by which Postgres knows a database, as a copy that was
 * cut off leaves them. `none`: nothing at all, as an empty folder, which fails at every start if it counts as a database.
 */
type DatabaseState = 'none' | 'half' | 'whole';

/** What file systems keep for themselves at their top: no file of ours, neither copied nor deleted. */
export const ofFileSystem: ReadonlySet<string> = new Set([
  'lost+found',
  'System Volume Information',
  '$RECYCLE.BIN',
]);

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
    throw new StartupError(`The database in ${dataFolder} cannot be opened: ${(error as Error).message}`, {
      cause: error,
    });
  }
};

/** There is half a database, or none where one was: no new one takes its place. The message is a text of worded reasons. */
export class MissingDatabaseError extends StartupError {}

/** For people: a half database, and what to do about it. */
export const halfDatabaseWords = (dataFolder: string): string =>
  [
    healthReasons['database-half'](dataFolder),
    healthReasons['database-restore'],
    healthReasons['database-anew'](dataFolder),
  ].join(' ');

/** For people: no database where one was, and what to do about it. @param traces files that tell of it */
export const goneDatabaseWords = (dataFolder: string, traces: readonly string[]): string =>
  [
    healthReasons['database-gone'](dataFolder, traces.map((path) => basename(path)).join(', ')),
    healthReasons['database-connect'],
    healthReasons['database-restore'],
    healthReasons['database-anew'](traces.join(', ')),
  ].join(' ');
