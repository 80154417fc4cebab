import { readFileSync, statSync } from 'node:fs';
import { chown, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupError } from '../program.ts';

/** Postgres refuses to run as root; it then runs as this account, which every Linux has. */
const accountName = 'nobody';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The account that Postgres must run under, or null when our own will do. */
export const postgresAccount = (): Account | null => {
  if (process.getuid?.() !== 0) return null;
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === accountName);
  if (!entry)
    throw new StartupError(`Postgres cannot run as root, and there is no account "${accountName}".`);
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
};

const othersMayPass = 0o001;

/** The first folder on the way to `path` that another account cannot pass, or null. */
export const blockingFolder = (path: string): string | null => {
  const parent = dirname(path);
  if (parent === path) return null;
  return blockingFolder(parent) ?? (statSync(parent).mode & othersMayPass ? null : parent);
};

/** Hands a whole folder to the account. */
export const giveTo = async (account: Account, folder: string): Promise<void> => {
  await chown(folder, account.uid, account.gid);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    await chown(join(entry.parentPath, entry.name), account.uid, account.gid);
};
