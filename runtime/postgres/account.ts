import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { lchown, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupError } from '../program.ts';
import { postgresAccountName } from '../system-env.ts';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Postgres refuses to run as root; it then runs under an account that owns only its database. */
export const needsAccount = (): boolean => process.getuid?.() === 0;

/**
 * The account that Postgres must run under, created if missing, or null when our own will do.
 * @throws {StartupError} when it cannot be created
 */
export const postgresAccount = (name = postgresAccountName()): Account | null => {
  if (!needsAccount()) return null;
  const account = findAccount(name) ?? makeAccount(name);
  if (account.uid === 0) throw new StartupError(`Postgres cannot run as "${name}", which is root.`);
  return account;
};

/** Earlier versions ran Postgres as nobody; CASTELLAN_POSTGRES_ACCOUNT may have replaced castellan. */
const formerNames = ['nobody', 'castellan'];

/**
 * Like `postgresAccount`; but if that cannot be created, or a person's own account has run the stack until now, the existing
 * database keeps its account.
 */
export const accountFor = (dataFolder: string): Account | null => {
  if (!needsAccount()) return null;
  const owner = statSync(dataFolder, { throwIfNoEntry: false });
  if (!owner || owner.uid === 0) return postgresAccount();
  const kept = { uid: owner.uid, gid: owner.gid };
  if (!formerNames.some((name) => findAccount(name)?.uid === owner.uid)) return kept;
  try {
    return postgresAccount();
  } catch {
    return kept;
  }
};

/** The account that Postgres runs under where it is not ours, by number; empty if it was not created yet. */
export const knownPostgresAccount = (name = postgresAccountName()): readonly number[] => {
  const account = findAccount(name);
  return account ? [account.uid] : [];
};

const findAccount = (name: string): Account | null => {
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([found]) => found === name);
  return entry ? { uid: Number(entry[2]), gid: Number(entry[3]) } : null;
};

const makeTries = 20;
const betweenTriesMs = 100;

const makeAccount = (name: string): Account => {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  let refusal = '';
  for (let tries = 0; tries < makeTries; tries += 1) {
    try {
      execFileSync('/usr/sbin/useradd', [...options, '--shell', '/usr/sbin/nologin', '--', name], {
        stdio: ['ignore', 'ignore', 'pipe'],
        encoding: 'utf8',
      });
    } catch (error) {
      const { stderr, message } = error as { stderr?: string; message: string };
      refusal = stderr?.trim() || message;
    }
    const made = findAccount(name);
    if (made) return made;
    // Another start is creating one at the same time.
    if (!refusal.includes('lock')) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, betweenTriesMs);
  }
  throw new StartupError(
    `Postgres cannot run as root, and the account "${name}" for it could not be made: ${refusal}. ` +
      `Make it with "useradd --system ${name}", name an account that is there in CASTELLAN_POSTGRES_ACCOUNT, or run without root.`,
  );
};

const othersMayPass = 0o001;

/** The first folder on the way to `path` that another account cannot enter, or null. */
export const blockingFolder = (path: string): string | null => {
  const parent = dirname(path);
  if (parent === path) return null;
  return blockingFolder(parent) ?? (statSync(parent).mode & othersMayPass ? null : parent);
};

/**
 * Hands a whole folder, closed to others, to the account. Root owns the folder itself until everything in it has changed hands:
 * the previous owner cannot swap a file for a link in between, and an interruption shows in the folder's owner.
 */
export const giveTo = async ({ uid, gid }: Account, folder: string): Promise<void> => {
  await lchown(folder, 0, 0);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    await lchown(join(entry.parentPath, entry.name), uid, gid);
  await lchown(folder, uid, gid);
};

/** For a data folder of another account, while no Postgres runs on it. @returns whether it changed hands */
export const handOver = async (account: Account, dataFolder: string): Promise<boolean> => {
  if ((await stat(dataFolder)).uid === account.uid) return false;
  await giveTo(account, dataFolder);
  return true;
};
