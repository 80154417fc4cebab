import { constants, type Dirent, type Stats } from 'node:fs';
import {
  chmod,
  chown,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  unlink,
  utimes,
} from 'node:fs/promises';
import { join, parse, sep } from 'node:path';
import { ifAbsent } from '#runtime/absent-file.ts';
import { patientRemoval, whenNotBusy } from '#runtime/busy-file.ts';
import { followOwnLinks, foreignLink } from './named-path.ts';

/** A buffer where it is not UTF-8. */
type Name = string | Buffer;

export interface FolderFacts {
  /** Null: they stay. */
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  /** Null: it stays. */
  readonly mode: number | null;
  readonly mtimeMs: number;
}

/**
 * A folder that stays the same one, whatever is renamed or put in its place, and whose entries are reached without following a
 * link. Root works in folders of other accounts only through it. Windows has no such descriptors: there it is a path.
 */
export interface OpenedFolder extends AsyncDisposable {
  /** Where it was when it was opened, for people. */
  readonly shown: string;
  /** The path of an entry, for calls that follow no link in its place. */
  path(name: string): string;
  stat(): Promise<Stats>;
  /** Sorted by their bytes. */
  names(): Promise<Buffer[]>;
  entries(): Promise<Dirent[]>;
  factsOf(name: string): Promise<Stats>;
  /** @throws with the code ELOOP or ENOTDIR for a link */
  openFolder(name: Name): Promise<OpenedFolder>;
  /** Never waits for a pipe. @throws with the code NO_FILE for what is no file, and for root also for a second name */
  openFile(name: string): Promise<FileHandle>;
  createFile(name: string): Promise<FileHandle>;
  /** Made for this account alone. */
  createFolder(name: string): Promise<OpenedFolder>;
  isThere(name: string): Promise<boolean>;
  /** Within this folder. */
  rename(from: string, to: string): Promise<void>;
  /** With everything in it; one that is not there is no fault. */
  remove(name: Name): Promise<void>;
  /** Of the folder itself. */
  become(facts: FolderFacts): Promise<void>;
}

const isLinux = process.platform === 'linux';
/** Opens a place without reading it (open(2)), so that a folder on the way need not be readable; Node does not name it. */
export const pathOnly = 0o10_000_000;
const folderFlags = pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const fileFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** More levels would use up the descriptors of the process. */
export const mostLevels = 128;

/** A second name of a file that the owner of the folder does not own: the file may be secret where it has its first one. */
export const isSecondName = ({ nlink, uid }: Stats, folderOwner: number): boolean =>
  process.geteuid?.() === 0 && nlink > 1 && uid !== folderOwner;

/** Null: there is none, or something else is in its place. What may not be read is a fault. */
export const noneOrFault = (error: NodeJS.ErrnoException): null => {
  if (['ENOENT', 'ELOOP', 'ENOTDIR', 'NO_FILE'].includes(error.code ?? '')) return null;
  throw error;
};

export const noFile = (path: string) =>
  Object.assign(new Error(`${path} is no file.`), { code: 'NO_FILE', path });

const withName = (folder: string, name: Name): Name =>
  typeof name === 'string' ? join(folder, name) : Buffer.concat([Buffer.from(folder + sep), name]);

/** @param handle null: it is reached by its path */
const openedFolder = (handle: FileHandle | null, shown: string, level: number): OpenedFolder => {
  const own = handle === null ? shown : `/proc/self/fd/${handle.fd}`;
  /** People know the path, and not the descriptor. */
  const at = async <Result>(name: Name, act: (path: Name) => Promise<Result>): Promise<Result> => {
    try {
      return await act(withName(own, name));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === undefined || code === 'NO_FILE') throw error;
      throw Object.assign(new Error(message.replaceAll(own, shown), { cause: error }), {
        code,
        path: join(shown, name.toString()),
      });
    }
  };
  const openInner = async (path: Name, name: Name): Promise<OpenedFolder> => {
    const inner = join(shown, name.toString());
    if (level >= mostLevels)
      throw Object.assign(new Error(`${inner} is too deep.`), { code: 'ENAMETOOLONG' });
    if (handle !== null) return openedFolder(await open(path, folderFlags), inner, level + 1);
    if (!(await lstat(path)).isDirectory())
      throw Object.assign(new Error(`${inner} is no folder.`), { code: 'ENOTDIR' });
    return openedFolder(null, inner, level + 1);
  };
  const stat = () => (handle === null ? lstat(own) : handle.stat());
  const names = () =>
    at('.', async (path) => (await readdir(path, { encoding: 'buffer' })).sort(Buffer.compare));
  const openFolder = (name: Name) => at(name, (path) => openInner(path, name));
  const factsOf = (name: Name) => at(name, (path) => lstat(path));
  const remove = async (name: Name): Promise<void> => {
    if (handle === null) return at(name, (path) => rm(path, patientRemoval));
    const facts = await factsOf(name).catch(ifAbsent(null));
    if (facts === null) return;
    if (!facts.isDirectory()) return at(name, unlink);
    await using inner = await openFolder(name);
    for (const below of await inner.names()) await inner.remove(below);
    await at(name, rmdir);
  };
  return {
    shown,
    path: (name) => join(own, name),
    stat,
    names,
    entries: () => at('.', (path) => readdir(path, { withFileTypes: true })),
    factsOf,
    openFolder,
    openFile: (name) =>
      at(name, async (path) => {
        const file = await open(path, fileFlags).catch((error: NodeJS.ErrnoException) => {
          // A socket cannot be opened.
          throw error.code === 'ENXIO' ? noFile(join(shown, name)) : error;
        });
        const facts = await file.stat();
        if (facts.isFile() && !isSecondName(facts, (await stat()).uid)) return file;
        await file.close();
        throw noFile(join(shown, name));
      }),
    createFile: (name) => at(name, (path) => open(path, 'wx', 0o600)),
    createFolder: (name) =>
      at(name, async (path) => {
        await mkdir(path, { mode: 0o700 });
        const made = await openInner(path, name);
        // Another account that may change this folder could have put one in its place.
        if ((await made.names()).length === 0) return made;
        await made[Symbol.asyncDispose]();
        throw Object.assign(new Error(`${made.shown} was replaced by another program.`), { code: 'EEXIST' });
      }),
    isThere: (name) => factsOf(name).then(() => true, ifAbsent(false)),
    rename: (from, to) => at(from, (path) => whenNotBusy(() => rename(path, withName(own, to)))),
    remove,
    become: ({ owner, mode, mtimeMs }) =>
      at('.', async (path) => {
        const time = new Date(mtimeMs);
        if (owner !== null) await chown(path, owner.uid, owner.gid);
        await utimes(path, time, time);
        if (mode !== null) await chmod(path, mode);
      }),
    [Symbol.asyncDispose]: async () => handle?.close(),
  };
};

/**
 * Opens a folder by its real path: each part from the one before.
 * @param isMade creates what is missing, for this account alone
 * @throws with the code ELOOP or ENOTDIR for a link
 */
export const openRealFolder = async (path: string, isMade = false): Promise<OpenedFolder> => {
  if (!isLinux) {
    if (isMade) await mkdir(path, { recursive: true, mode: 0o700 });
    if (!(await lstat(path)).isDirectory())
      throw Object.assign(new Error(`${path} is no folder.`), { code: 'ENOTDIR', path });
    return openedFolder(null, path, 0);
  }
  const { root } = parse(path);
  let folder = openedFolder(await open(root, folderFlags), root, 0);
  for (const name of path.slice(root.length).split(sep).filter(Boolean)) {
    try {
      await using above = folder;
      folder = await above.openFolder(name).catch(async (error: NodeJS.ErrnoException) => {
        if (!isMade || error.code !== 'ENOENT') throw error;
        await mkdir(above.path(name), { mode: 0o700 }).catch((fault: NodeJS.ErrnoException) => {
          if (fault.code !== 'EEXIST') throw fault;
        });
        return above.openFolder(name);
      });
    } catch (error) {
      throw Object.assign(error as Error, { path });
    }
  }
  return folder;
};

/**
 * Opens a folder that the machine's owner has named. As root, it follows the links that only root may change, and those that lead
 * to a folder of the account that may change them.
 * @throws {StartupError} for other links
 */
export const openNamedFolder = async (named: string, isMade = false): Promise<OpenedFolder> => {
  const { path, foreign } = await followOwnLinks(named);
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (isMade && error.code === 'ENOENT') return path;
    throw error;
  });
  const folder = await openRealFolder(real, isMade);
  if (foreign === null || real === path || (await folder.stat()).uid === foreign) return folder;
  await folder[Symbol.asyncDispose]();
  throw foreignLink(named);
};

/** Reaches folders below one, each through the one around it. */
export interface FolderWalk extends AsyncDisposable {
  /** @param path with `/` between names; empty for the first folder. The folder stays open until the next call */
  to(path: string): Promise<OpenedFolder>;
}

/** @param start stays open */
export const walkBelow = (start: OpenedFolder): FolderWalk => {
  const way: { readonly name: string; readonly folder: OpenedFolder }[] = [];
  const leave = async (levels: number) => {
    for (const { folder } of way.splice(levels).reverse()) await folder[Symbol.asyncDispose]();
  };
  return {
    async to(path) {
      const names = path === '' ? [] : path.split('/');
      const parting = way.findIndex(({ name }, level) => name !== names[level]);
      await leave(parting === -1 ? names.length : parting);
      for (const name of names.slice(way.length))
        way.push({ name, folder: await (way.at(-1)?.folder ?? start).openFolder(name) });
      return way.at(-1)?.folder ?? start;
    },
    [Symbol.asyncDispose]: () => leave(0),
  };
};
