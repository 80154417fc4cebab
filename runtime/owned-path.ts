import type { Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { accountName } from './account-name.ts';
import { StartupError } from './program.ts';

export const writableByOthers = 0o022;
const sticky = 0o1000;
/** The limit of Linux. */
const mostLinks = 40;

/** A part of a path that another account than ours and root could change. */
interface ForeignPart {
  readonly path: string;
  /** The account that owns it, by number; others: several accounts may write there. */
  readonly owner: number | 'others';
}

/**
 * The first part of a path by which another account could change the file or folder; null when none can. It must belong to the
 * asking account or to root, and no other account may have write access. For root this applies to the whole path, links included;
 * without root's rights, an account that replaces a folder on the path can only put a foreign one there, which is itself refused.
 * @param of only the way to it, which need not exist; or the file or folder as well
 * @throws {StartupError} for links that lead to no end
 */
export const foreignPart = async (path: string, of: 'way' | 'all' = 'all'): Promise<ForeignPart | null> => {
  const self = process.geteuid?.();
  if (self === undefined) return null;
  const isOwn = ({ uid }: Stats) => uid === self || uid === 0;

  let links = 0;
  /** @param isAim whether this is the place itself rather than a folder on the way to it */
  const look = async (place: string, isAim: boolean): Promise<ForeignPart | null> => {
    const above = dirname(place);
    if (above !== place) {
      const fault = await look(above, false);
      if (fault !== null) return fault;
    }
    const found = await lstat(place).catch((error: NodeJS.ErrnoException) => {
      if (of === 'way' && error.code === 'ENOENT') return null;
      throw error;
    });
    if (found === null) return null;
    if (found.isSymbolicLink()) {
      links += 1;
      if (links > mostLinks) throw new StartupError(`${path} leads through too many links.`);
      if (!isOwn(found)) return { path: place, owner: found.uid };
      return look(resolve(above, await readlink(place)), isAim);
    }
    if (isAim ? of === 'way' : self !== 0) return null;
    if (!isOwn(found)) return { path: place, owner: found.uid };
    const isShared = (found.mode & writableByOthers) !== 0;
    // In such a folder, as /tmp, no one else can rename or replace our files.
    return isShared && (isAim || (found.mode & sticky) === 0) ? { path: place, owner: 'others' } : null;
  };
  return look(resolve(path), true);
};

/** Like `foreignPart`, in words for people, with the remedy. */
export const foreignHand = async (path: string, of: 'way' | 'all' = 'all'): Promise<string | null> => {
  const part = await foreignPart(path, of);
  if (part === null) return null;
  if (part.owner === 'others')
    return `Other accounts may change ${part.path}, and with it what runs here. Correct that with: chmod go-w "${part.path}"`;
  const [owner, own] = await Promise.all([nameOf(part.owner), nameOf(process.geteuid?.() ?? 0)]);
  return `${part.path} belongs to the account ${owner}, which could change what runs here as ${own}. Give it to ${own} (chown ${own} "${part.path}"), or run this command as ${owner}.`;
};

/** Its number where it has no name. */
export const nameOf = async (uid: number): Promise<string> => (await accountName(uid)) ?? `${uid}`;

/** A missing path will be created by this account. @throws {StartupError} with the remedy */
export const demandOwned = async (...paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const fault = await foreignHand(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      if (error instanceof StartupError) throw error;
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
