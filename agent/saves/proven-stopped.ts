import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { foreignDisk } from '#runtime/folder-check/foreign-disk.ts';
import { isAtOrBelow, isInFolder, locate, type Mount, type MountedPath, readMounts } from './mounted-path.ts';
import { SavesError } from './saves-error.ts';

/** A process that may have files of a folder open. */
interface FolderProcess {
  readonly pid: number;
  /** Of its program. */
  readonly name: string;
  /** False: this account may not see where it works, but the process's account may write the folder. */
  readonly isSeen: boolean;
}

const openForWriting = 0o3;
/** They keep even their own account from looking; each account that is signed in has some. */
const sessionPrograms = /^(?:\(sd-pam\)|sshd.*|ssh-agent|gpg-agent|su|sudo|dbus-.*)$/;

/**
 * The first process on this machine that works in the folder, was started in it, or has a file there open for writing or in its
 * memory, in this or in another container; null when there is none.
 */
const findFolderProcess = async (path: string): Promise<FolderProcess | null> => {
  const folder = await realpath(path).catch(() => path);
  const mounts = readMounts(await readFile('/proc/self/mountinfo', 'utf8'));
  const look: Look = {
    folder: locate(mounts, folder) ?? { device: '', path: folder },
    facts: await stat(folder).catch(() => null),
    mounts,
    space: await readlink('/proc/self/ns/mnt'),
    own: await readlink('/proc/self/exe'),
  };
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid || pid === process.ppid) continue;
    // Others have their turn between two processes.
    await nextTurn();
    const used = await usesFolder(join('/proc', entry), look);
    if (used !== 'no') return { pid, name: await nameOf(join('/proc', entry)), isSeen: used === 'yes' };
  }
  return null;
};

interface Look {
  readonly folder: MountedPath;
  readonly facts: { readonly uid: number; readonly gid: number; readonly mode: number } | null;
  /** Of this process, with the name of the namespace that they are in. */
  readonly mounts: readonly Mount[];
  readonly space: string;
  readonly own: string;
}

/** Reads /proc at once: it waits for no disk, and a machine has thousands of open files. */
const usesFolder = async (process: string, look: Look): Promise<'yes' | 'perhaps' | 'no'> => {
  try {
    return doesUse(process, look) ? 'yes' : 'no';
  } catch (error) {
    if (!isHidden(error)) return 'no';
    if (sessionPrograms.test(await nameOf(process))) return 'no';
    return (await mayWrite(process, look)) ? 'perhaps' : 'no';
  }
};

const nameOf = async (process: string): Promise<string> =>
  (await readFile(join(process, 'comm'), 'utf8').catch(() => '')).trimEnd();

const doesUse = (process: string, look: Look): boolean => {
  const isOurs = readlinkSync(join(process, 'ns/mnt')) === look.space;
  const mounts = isOurs ? look.mounts : readMounts(readFileSync(join(process, 'mountinfo'), 'utf8'));
  const isInside = (path: string) =>
    path.startsWith('/') && isInFolder(look.folder, locate(mounts, path.replace(/ \(deleted\)$/, '')));
  const linkOf = (name: string) => orIfGone('', () => readlinkSync(join(process, name)));
  const exe = linkOf('exe');
  // The agent itself, which may also be in that folder.
  if (isOurs && exe === look.own) return false;
  if ([exe, linkOf('cwd'), linkOf('root')].some(isInside)) return true;
  const maps = orIfGone('', () => readFileSync(join(process, 'maps'), 'utf8'));
  const mapped = new Set(Array.from(maps.matchAll(/ (\/[^\n]*)$/gm), ([, path = '']) => path));
  if ([...mapped].some(isInside)) return true;
  const files = orIfGone([], () => readdirSync(join(process, 'fd')));
  return files.some((fd) => isInside(linkOf(`fd/${fd}`)) && isForWriting(process, fd));
};

const isHidden = (error: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
/** It has ended, or is a thread of the kernel, which has no program. */
const orIfGone = <Value>(none: Value, read: () => Value): Value => {
  try {
    return read();
  } catch (error) {
    if (isHidden(error)) throw error;
    return none;
  }
};

const isForWriting = (process: string, fd: string): boolean => {
  const text = orIfGone('', () => readFileSync(join(process, 'fdinfo', fd), 'utf8'));
  return (Number.parseInt(/^flags:\s+([0-7]+)$/m.exec(text)?.[1] ?? '0', 8) & openForWriting) !== 0;
};

/**
 * Whether the account of a process may write the folder, which everyone may look up. Root may write everywhere, so its processes
 * count only in a container that the folder, or a part of it, was given to.
 */
const mayWrite = async (process: string, { folder, facts, mounts }: Look): Promise<boolean> => {
  const status = await readFile(join(process, 'status'), 'utf8').catch(() => '');
  const numbers = (name: string) =>
    (new RegExp(`^${name}:(.*)$`, 'm').exec(status)?.[1] ?? '').split(/\s+/).filter(Boolean).map(Number);
  // The second is the effective one.
  const [, uid] = numbers('Uid');
  if (uid === undefined || facts === null) return false;
  if (uid === 0)
    return isGiven(await readFile(join(process, 'mountinfo'), 'utf8').catch(() => ''), folder, mounts);
  if (uid === facts.uid) return (facts.mode & 0o200) !== 0;
  const isInGroup = [numbers('Gid')[1], ...numbers('Groups')].includes(facts.gid);
  return (facts.mode & (isInGroup ? 0o020 : 0o002)) !== 0;
};

const isGiven = (text: string, folder: MountedPath, own: readonly Mount[]): boolean =>
  readMounts(text).some(
    ({ device, path, point, isWritable }) =>
      isWritable &&
      device === folder.device &&
      (isAtOrBelow(folder.path, path) || (path !== '/' && isAtOrBelow(path, folder.path))) &&
      !own.some((mount) => mount.device === device && mount.path === path && mount.point === point),
  );

/** Null once the game is proven to be stopped; else why not. */
export type WhyNotStopped = () => Promise<string | null>;

/** @throws {SavesError} */
export const demandStopped = async (whyNotStopped: WhyNotStopped): Promise<void> => {
  const why = await whyNotStopped();
  if (why !== null) throw new SavesError(why);
};

const connectMs = 3000;

/**
 * Null once it is certain that the game does not run: nothing listens at its console, and no process on this machine works or was
 * started in its folder, or has files of it open for writing. Else why not, for people. On Windows, the game's open files show the rest.
 * On a disk that other machines use, too, only the console proves it.
 */
export const whyNotStopped = async ({
  folder,
  console,
  diskOf = foreignDisk,
}: {
  readonly folder: string;
  /** Null: the game's console is unknown. */
  readonly console: { readonly host: string; readonly port: number } | null;
  /** What answers for the folder's disk in place of this system; null: nothing. */
  readonly diskOf?: (folder: string) => Promise<string | null>;
}): Promise<string | null> => {
  if (console && (await isListening(console)))
    return `Something listens at the game's console (port ${console.port}). Stop the game first.`;
  const disk = console ? null : await diskOf(folder).catch(() => null);
  if (disk !== null)
    return `The game's folder is on no disk of this machine (${disk}): a game that runs elsewhere would not be seen. Name the game's console in config.json first.`;
  const found = process.platform === 'linux' ? await findFolderProcess(folder) : null;
  if (found === null) return null;
  return found.isSeen
    ? `A program of the game's folder runs: ${found.name || 'one without a name'} (process ${found.pid}). Stop the game, or that program, first.`
    : `The process ${found.pid} (${found.name}) may belong to the game: its account may write the game's folder, and this agent may not see where the process works. Stop it first, or let the agent run as root.`;
};

/** Only a refusal proves that nothing is there. */
const isListening = ({ host, port }: { readonly host: string; readonly port: number }): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (listens: boolean) => {
      socket.destroy();
      resolve(listens);
    };
    socket.setTimeout(connectMs, () => end(true));
    socket.once('connect', () => end(true));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code !== 'ECONNREFUSED'));
  });
