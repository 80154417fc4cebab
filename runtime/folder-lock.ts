import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from './program.ts';

/** A lock on a folder: only one process has it, whatever namespace it runs in and whatever path it knows the folder by. */
export interface FolderLock extends AsyncDisposable {
  /**
   * A process that is started with this descriptor has the lock as well, and keeps it when this one is gone. Null on Windows,
   * where nothing is locked: a folder has one path and one namespace there.
   */
  readonly descriptor: number | null;
}

/** Its file system has no locks, or the machine lacks the program that takes them. */
export class FolderLockUnavailable extends StartupError {}

/** What `flock` of util-linux answers when another process has the lock (flock(1), *EXIT STATUS*). */
const takenExitCode = 1;

/**
 * The folder itself is locked (flock(2)): a file in it could be deleted, and a second process would then lock another one.
 * The kernel releases it with the last process that has it. @returns null if another process has it
 * @throws {FolderLockUnavailable}
 */
export const tryToLockFolder = async (folder: string): Promise<FolderLock | null> => {
  if (process.platform === 'win32') return nothingLocked;
  const handle = await open(folder);
  try {
    if (await lock(handle, folder))
      return { descriptor: handle.fd, [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return null;
};

const pollMs = 50;
const askingMs = 1000;

/** Waits for a process that is about to end. @returns null if it has not ended by then */
export const lockFolderWithin = async (folder: string, patienceMs: number): Promise<FolderLock | null> => {
  const until = performance.now() + patienceMs;
  for (;;) {
    const lock = await tryToLockFolder(folder);
    if (lock !== null || performance.now() > until) return lock;
    await delay(pollMs);
  }
};

/** Whether the file system and the machine can lock it. */
export const canLockFolder = async (folder: string): Promise<boolean> => {
  try {
    await (await tryToLockFolder(folder))?.[Symbol.asyncDispose]();
    return true;
  } catch (error) {
    if (error instanceof FolderLockUnavailable) return false;
    throw error;
  }
};

const nothingLocked: FolderLock = { descriptor: null, [Symbol.asyncDispose]: async () => undefined };

/**
 * Locks the data folder of an installation. One that an earlier version made where nothing can be locked works on for one
 * release, and that is said on stderr. @returns null if another process has it @throws {FolderLockUnavailable} for a new installation
 */
export const tryToLockInstallation = async (home: string): Promise<FolderLock | null> => {
  try {
    // Who only asks whether it is taken has it for a moment.
    return await lockFolderWithin(home, askingMs);
  } catch (error) {
    const isNew = !existsSync(join(home, '.env'));
    if (!(error instanceof FolderLockUnavailable) || isNew) throw error;
    process.stderr.write(`${error.message}\n`);
    return nothingLocked;
  }
};

/** Node has no call for it. The lock belongs to the open file, which the program shares with us. */
const lock = async ({ fd }: FileHandle, folder: string): Promise<boolean> => {
  const child = spawn('flock', ['--exclusive', '--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', fd],
  });
  const [[exitCode], said] = await Promise.all([
    once(child, 'close'),
    child.stderr ? text(child.stderr) : '',
  ]).catch((error: Error) => {
    throw unavailable(folder, error.message);
  });
  if (exitCode === 0 || exitCode === takenExitCode) return exitCode === 0;
  throw unavailable(folder, said.trim());
};

const unavailable = (folder: string, why: string): FolderLockUnavailable =>
  new FolderLockUnavailable(
    `The folder ${folder} cannot be locked (${why}), so nothing would keep a second stack from using it at the same time. Use a folder on a local disk; on Linux the program flock of util-linux is needed.`,
  );
