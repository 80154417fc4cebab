import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { processEndText } from '#contracts/kernel/windows-codes/windows-answer.ts';
import { writeFileAtomically } from '../atomic-write.ts';
import { patientRemoval, whenNotBusy } from '../busy-file.ts';
import { syncFolder } from '../disk-sync.ts';
import { StartupError } from '../program.ts';
import { Secret } from '../secret.ts';
import { utf8CodePage } from '../windows/code-page.ts';
import { type Account, giveTo } from './account.ts';
import type { PostgresBinaries } from './binaries.ts';
import { databaseIn, goneDatabaseWords, halfDatabaseWords, MissingDatabaseError } from './database-state.ts';
import { pathCodePage } from './path-code-page.ts';
import { spawnOptions } from './postmaster.ts';
import { finishRestore, removeEmpty } from './restore.ts';

const run = promisify(execFile);

export const superuser = 'postgres';

/**
 * Creates the data folder if it is missing, and returns the superuser's password. initdb writes into a folder beside it, then a
 * rename follows: a start that is killed here leaves nothing half-made. The password is on disk before the rename, so that a data
 * folder always has its password.
 * @param traces files that only a database in use leaves elsewhere
 * @throws {StartupError} where a database was: an owner would go on with an empty one while its disk is not connected
 */
export const ensureInitialized = async (
  folder: string,
  dataFolder: string,
  { initdb }: PostgresBinaries,
  account: Account | null,
  traces: readonly string[] = [],
): Promise<Secret> => {
  const passwordFile = join(folder, 'superuser.password');
  const found = databaseIn(dataFolder);
  if (found === 'half') throw new MissingDatabaseError(halfDatabaseWords(dataFolder));
  if (found === 'whole' || (await finishRestore(dataFolder)))
    return new Secret((await readFile(passwordFile, 'utf8')).trim());

  const password = randomBytes(24).toString('base64url');
  const half = `${dataFolder}.new`;
  // The password of a half-made one was never used.
  demandNoneWas(dataFolder, existsSync(half) ? traces : [passwordFile, ...traces]);
  await removeEmpty(dataFolder);
  await rm(passwordFile, patientRemoval);
  await rm(half, patientRemoval);
  await mkdir(half, { mode: 0o700 });
  const passwordForInitdb = join(half, '..', 'initdb.password');
  await writeFile(passwordForInitdb, password, { mode: 0o600 });
  if (account) {
    await giveTo(account, half);
    await chown(passwordForInitdb, account.uid, account.gid);
  }
  const locale = ['--locale-provider=builtin', '--locale=C', '--builtin-locale=C.UTF-8', '-E', 'UTF8'];
  const access = [
    '-A',
    'scram-sha-256',
    '-U',
    superuser,
    '--data-checksums',
    `--pwfile=${passwordForInitdb}`,
  ];
  try {
    // initdb itself flushes what it creates to disk.
    await run(initdb, ['-D', half, ...locale, ...access, '--no-instructions'], spawnOptions(account, half));
    // In a code page where a letter ends in the byte of a backslash, it succeeds elsewhere (Postgres bug 18735).
    if (!existsSync(join(half, versionFile))) throw new Error('initdb has left nothing there.');
    await writeFileAtomically(passwordFile, password, 0o600);
    await syncFolder(folder);
    await whenNotBusy(() => rename(half, dataFolder));
  } catch (error) {
    // What cannot be removed now, the next start removes. A password alone would tell of a database.
    await rm(passwordFile, patientRemoval)
      .then(() => rm(half, patientRemoval))
      .catch(() => undefined);
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    const why = typeof code === 'number' ? processEndText(code, 'en') : null;
    const said = stderr?.trim() || why || (error as Error).message;
    const hint = (await isAnyLetterFine()) ? '' : lettersHint([initdb, dataFolder]);
    throw new StartupError(`The database could not be created in ${dataFolder}: ${said}${hint}`, {
      cause: error,
    });
  } finally {
    await rm(passwordForInitdb, patientRemoval);
  }
  return new Secret(password);
};

const versionFile = 'PG_VERSION';

const demandNoneWas = (dataFolder: string, traces: readonly string[]): void => {
  const found = traces.filter((path) => existsSync(path));
  if (found.length === 0) return;
  throw new MissingDatabaseError(goneDatabaseWords(dataFolder, found));
};

const isAnyLetterFine = async (): Promise<boolean> =>
  process.platform !== 'win32' || (await pathCodePage()) === utf8CodePage;

/** Windows passes paths to Postgres in its code page, and initdb then only says that something does not exist. */
export const lettersHint = (paths: readonly string[]): string => {
  const odd = paths.find((path) => /\P{ASCII}/u.test(path));
  return odd === undefined
    ? ''
    : `\nPostgres may be unable to use the letters of ${odd}; choose a folder named in plain letters (a-z).`;
};
