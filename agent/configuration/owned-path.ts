import type { Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { accountName } from '#runtime/account-name.ts';
import { StartupError } from '#runtime/program.ts';

const writableByOthers = 0o022;
const sticky = 0o1000;
/** The limit of Linux. */
const mostLinks = 40;

/**
 * How another account could change a file or folder, in words for people; null when it cannot. The file must belong to the asking
 * account or to root, and no other account may have write access. For root this applies to the whole path, links included;
 * without root's rights, an account that replaces a folder on the path can only put a foreign one there, which is itself refused.
 */
export const foreignHand = async (path: string): Promise<string | null> => {
  const self = process.geteuid?.();
  if (self === undefined) return null;
  const isOwn = ({ uid }: Stats) => uid === self || uid === 0;
  const foreign = async (way: string, { uid }: Stats) => {
    const [owner, own] = [(await accountName(uid)) ?? uid, (await accountName(self)) ?? self];
    return `${way} belongs to the account ${owner}, which could change what runs here as ${own}. Give it to ${own} (chown ${own} "${way}"), or run this command as ${owner}.`;
  };
  const open = (way: string) =>
    `Other accounts may change ${way}, and with it what runs here. Correct that with: chmod go-w "${way}"`;

  let links = 0;
  /** @param isAim whether this is the place itself rather than a folder on the way to it */
  const look = async (place: string, isAim: boolean): Promise<string | null> => {
    const above = dirname(place);
    if (above !== place) {
      const fault = await look(above, false);
      if (fault !== null) return fault;
    }
    const found = await lstat(place);
    if (found.isSymbolicLink()) {
      links += 1;
      if (links > mostLinks) return `${path} leads through too many links.`;
      if (!isOwn(found)) return foreign(place, found);
      return look(resolve(above, await readlink(place)), isAim);
    }
    if (!isAim && self !== 0) return null;
    if (!isOwn(found)) return foreign(place, found);
    const isShared = (found.mode & writableByOthers) !== 0;
    // In such a folder, as /tmp, no one else can rename or replace our files.
    return isShared && (isAim || (found.mode & sticky) === 0) ? open(place) : null;
  };
  return look(resolve(path), true);
};

/** A missing path will be created by this account. @throws {StartupError} with the remedy */
export const demandOwned = async (...paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const fault = await foreignHand(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw new StartupError(`It cannot be found out who may change ${path}: ${error.code}.`, {
        cause: error,
      });
    });
    if (fault !== null) throw new StartupError(fault);
  }
};

/** Like `demandOwned`, with the files in it. @throws {StartupError} */
export const demandOwnedFiles = async (folder: string): Promise<void> => {
  await demandOwned(folder);
  const names = await readdir(folder).catch(() => []);
  await demandOwned(...names.map((name) => join(folder, name)));
};
