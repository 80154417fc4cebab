import { AsyncLocalStorage } from 'node:async_hooks';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The limit of Linux. */
const mostLinks = 40;

/**
 * The first account other than root that owns a part of the path, and so may put a link there; null: root owns all of it,
 * including links and their targets.
 */
export const ownerOnTheWay = async (path: string): Promise<Owner | null> => {
  let links = 0;
  const look = async (place: string): Promise<Owner | null> => {
    const above = dirname(place);
    const owner = above === place ? null : await look(above);
    if (owner !== null) return owner;
    const found = await lstat(place).catch(() => null);
    if (found === null) return null;
    if (found.uid !== 0) return found;
    if (!found.isSymbolicLink()) return null;
    links += 1;
    if (links > mostLinks) throw new Error(`${path} leads through too many links`);
    return look(resolve(above, await readlink(place)));
  };
  return look(resolve(path));
};

const hasRootRightsNow = () => process.getuid?.() === 0 && process.geteuid?.() === 0;
const within = new AsyncLocalStorage<true>();
let queueTail: Promise<unknown> = Promise.resolve();

/**
 * As root, works with the rights of the first account other than root on the way to the folder, since it can put a link to a foreign
 * file there at any moment; new files belong to it. The rights are the whole process's, so calls wait for each other, and everything
 * else that the process does in the meantime has these rights, too. A call inside another one keeps lowered rights; if the outer
 * one is still root, it lowers them for its own folder. Calls inside must not run in parallel.
 */
export const asOwnerOf = async <Result>(folder: string, work: () => Promise<Result>): Promise<Result> => {
  if (within.getStore()) return hasRootRightsNow() ? lowered(folder, work) : work();
  if (process.getuid?.() !== 0) return work();
  const turn = queueTail.then(() => within.run(true, () => lowered(folder, work)));
  queueTail = turn.catch(() => undefined);
  return turn;
};

const lowered = async <Result>(folder: string, work: () => Promise<Result>): Promise<Result> => {
  const owner = await ownerOnTheWay(folder);
  if (owner === null) return work();
  const groups = process.getgroups?.() ?? [];
  const gid = process.getegid?.() ?? 0;
  try {
    takeGroups(owner);
    process.setegid?.(owner.gid);
    process.seteuid?.(owner.uid);
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(gid);
    process.setgroups?.(groups);
  }
};

const takeGroups = ({ uid, gid }: Owner): void => {
  try {
    // Missing in Node's types.
    (process as unknown as { initgroups(user: number, group: number): void }).initgroups(uid, gid);
  } catch {
    // A number without a name.
    process.setgroups?.([gid]);
  }
};

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Below an opened folder, which stays the same one whatever is renamed in the meantime. */
const below = ({ fd }: FileHandle, name: string): string => `/proc/self/fd/${fd}/${name}`;

/**
 * Gives the folder, and every file and folder in it, to the account. Links on the way to it are resolved once; from then on none is
 * followed, even one that appears in the meantime. Files with a second hard link are skipped: that may be a foreign file's name.
 */
export const giveFolder = async (folder: string, owner: Owner): Promise<void> => {
  let opened = await open('/', folderFlags);
  try {
    for (const name of (await realpath(folder)).split('/').filter(Boolean)) {
      const next = await open(below(opened, name), folderFlags);
      await opened.close();
      opened = next;
    }
    await giveOpened(opened, owner);
  } finally {
    await opened.close();
  }
};

const fileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const giveOpened = async (folder: FileHandle, owner: Owner): Promise<void> => {
  const { uid, gid } = owner;
  await folder.chown(uid, gid);
  for (const entry of await readdir(below(folder, '.'), { withFileTypes: true })) {
    if (!entry.isDirectory() && !entry.isFile()) continue;
    const flags = entry.isFile() ? fileFlags : folderFlags;
    await using opened = await open(below(folder, entry.name), flags).catch(
      (error: NodeJS.ErrnoException) => {
        // Gone or replaced in the meantime.
        if (['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO'].includes(error.code ?? '')) return null;
        throw error;
      },
    );
    if (opened === null) continue;
    if (entry.isDirectory()) await giveOpened(opened, owner);
    else if ((await opened.stat()).nlink === 1) await opened.chown(uid, gid);
  }
};
