import { access, constants, lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { accountName } from './account-name.ts';
import { StartupError } from './program.ts';

/**
 * Lets a command that root runs on the data folder of another account go on as that account, for good, so that nothing it leaves
 * can hinder the owner. An account that may not read the folder's settings is told who may. Does nothing on Windows.
 * @throws {StartupError}
 */
export const actAsOwner = async (home: string): Promise<void> => {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  const owner = await ownerOf(home, uid);
  if (owner === null || owner.uid === uid) return;
  if (uid === 0) return become(owner);
  if (await mayRead(join(home, '.env'))) return;
  const name = (await accountName(owner.uid)) ?? `#${owner.uid}`;
  throw new StartupError(
    `The data folder ${home} belongs to the account ${name}. Run this command as that account: sudo -u ${name} …`,
  );
};

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The account that the installation runs under; for root, before the first start, the one that the folder was made for. Null if
 * it is unclear: root may have run one that another account has made.
 */
const ownerOf = async (home: string, uid: number): Promise<Owner | null> => {
  const [settings, data, folder] = await Promise.all(
    [['.env'], ['postgres', 'data'], []].map((parts) => ownedAt(home, parts).catch(() => null)),
  );
  const owner = settings ?? (uid === 0 && !data ? folder : null);
  if (!owner || (data && data.uid !== owner.uid)) return null;
  return { uid: owner.uid, gid: owner.gid };
};

/** A link of another account's counts as its own: it could lead to a file of root's. */
const ownedAt = async (home: string, parts: readonly string[]): Promise<Owner> => {
  let path = home;
  for (const part of parts) {
    path = join(path, part);
    const found = await lstat(path);
    if (found.isSymbolicLink() && found.uid !== 0) return found;
  }
  return stat(path);
};

const become = ({ uid, gid }: Owner): void => {
  const { setgroups, setgid, setuid } = process;
  if (!setgroups || !setgid || !setuid) throw new Error('accounts are for Linux only');
  setgroups([gid]);
  setgid(gid);
  setuid(uid);
};

const mayRead = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
