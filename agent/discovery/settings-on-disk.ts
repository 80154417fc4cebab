import { randomUUID } from 'node:crypto';
import { constants, copyFile, lstat, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ConsoleSettings, type SettingsFile, UnreadableSettingsError } from '#games/settings-file.ts';
import { whenNotBusy } from '#runtime/busy-file.ts';
import { syncFolder } from '#runtime/disk-sync.ts';
import { asOwnerOf } from '../configuration/as-owner.ts';
import { openNamedFile } from '../folders/named-file.ts';

/** The largest real ones have some hundred kilobytes. */
const largestBytes = 4 * 2 ** 20;
const tries = 10;
const betweenReadsMs = 100;

/** Its message says why a settings file cannot be read or changed. */
export class SettingsFileError extends Error {
  override readonly name = 'SettingsFileError';
}

const words: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  NO_FILE: 'is not a file',
  EACCES: 'may not be read or changed by this account',
  EPERM: 'may not be read or changed by this account',
  EROFS: 'is on a disk that cannot be written',
  ENOSPC: 'cannot be written: the disk is full',
};

const fault = (path: string, error: unknown): SettingsFileError => {
  if (error instanceof SettingsFileError) return error;
  if (error instanceof UnreadableSettingsError)
    return new SettingsFileError(`${path} cannot be understood: ${error.message}.`);
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return new SettingsFileError(`${path} ${words[code] ?? `cannot be read or changed (${code})`}.`);
};

const readOnce = async (path: string): Promise<Buffer> => {
  await using file = await openNamedFile(path);
  if ((await file.stat()).size > largestBytes)
    throw new SettingsFileError(`${path} is too large for a settings file.`);
  const content = Buffer.alloc(largestBytes + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(content, length, content.length - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === content.length) break;
  }
  if (length > largestBytes) throw new SettingsFileError(`${path} is too large for a settings file.`);
  return content.subarray(0, length);
};

/** Reads until two consecutive reads are equal and not empty: games write these files in place. */
const readWhole = async (path: string, { howToFill }: SettingsFile): Promise<Buffer> => {
  let before = await readOnce(path);
  for (let tried = 0; tried < tries; tried += 1) {
    await delay(betweenReadsMs);
    const content = await readOnce(path);
    if (content.length > 0 && content.equals(before)) return content;
    before = content;
  }
  throw new SettingsFileError(
    before.length === 0
      ? `${path} is empty. ${howToFill}`
      : `${path} keeps changing. Try again when the game has started.`,
  );
};

/** @throws {SettingsFileError} */
export const readSettingsFile = async (path: string, form: SettingsFile): Promise<ConsoleSettings> => {
  try {
    return form.read(await readWhole(path, form));
  } catch (error) {
    throw fault(path, error);
  }
};

interface SettingsChange {
  readonly path: string;
  readonly form: SettingsFile;
  readonly console: Pick<ConsoleSettings, 'port' | 'password'>;
  readonly now: Date;
}

/**
 * Turns the console on in the file, with a copy of the old one beside it. Owner and mode stay; a link stays a link.
 * @returns the copy's path; null when nothing had to be changed
 * @throws {SettingsFileError} and then nothing has changed
 */
export const turnConsoleOn = (change: SettingsChange): Promise<string | null> =>
  asOwnerOf(dirname(change.path), async () => {
    const target = await realpath(change.path).catch((error: Error) => {
      throw fault(change.path, error);
    });
    return asOwnerOf(dirname(target), () => turnOnIn(target, change));
  });

const turnOnIn = async (
  target: string,
  { path, form, console, now }: SettingsChange,
): Promise<string | null> => {
  try {
    const before = await readWhole(target, form);
    const after = form.turnOn(before, console);
    const read = form.read(after);
    if (!read.isOn || read.port !== console.port || read.password.reveal() !== console.password.reveal())
      throw new SettingsFileError(`${path} cannot be changed safely. Turn the console on there by hand.`);
    return after.equals(before) ? null : await replace(target, before, after, now);
  } catch (error) {
    throw fault(path, error);
  }
};

const replace = async (path: string, before: Buffer, after: Buffer, now: Date): Promise<string> => {
  const { mode, uid, gid, nlink } = await lstat(path);
  if (nlink > 1)
    throw new SettingsFileError(
      `${path} has a second name (a hard link), which would keep the old settings. Turn the console on there by hand.`,
    );
  const half = `${path}.${randomUUID()}`;
  const backup = await copyBeside(path, now);
  let isDone = false;
  try {
    await using file = await open(half, 'wx', 0o600);
    await file.writeFile(after);
    if (process.platform !== 'win32') await keepOwner(file, path, { mode, uid, gid });
    await file.sync();
    await file.close();
    if (!(await readOnce(path)).equals(before))
      throw new SettingsFileError(`${path} was changed in the meantime by the game or a person. Try again.`);
    await whenNotBusy(() => rename(half, path));
    await syncFolder(dirname(path));
    isDone = true;
    return backup;
  } finally {
    if (!isDone) {
      await rm(half, { force: true });
      await rm(backup, { force: true });
    }
  }
};

interface Owner {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

const permissionBits = 0o7777;

const keepOwner = async (
  file: Awaited<ReturnType<typeof open>>,
  path: string,
  { mode, uid, gid }: Owner,
): Promise<void> => {
  const made = await file.stat();
  if (made.uid !== uid || made.gid !== gid)
    await file.chown(uid, gid).catch(() => {
      // Root changes it with the rights of the folder's owner, who owns the new file.
      if (process.getuid?.() === 0) return;
      throw new SettingsFileError(
        `${path} belongs to another account. Run this command as that account or as root.`,
      );
    });
  await file.chmod(mode & permissionBits);
};

/** With the file's own owner and mode, since it holds the same password. */
const copyBeside = async (path: string, now: Date): Promise<string> => {
  const stamp = now.toISOString().slice(0, 19).replaceAll(':', '-');
  for (let number = 1; ; number += 1) {
    const backup = `${path}.castellan-${stamp}${number === 1 ? '' : `-${number}`}`;
    try {
      await copyFile(path, backup, constants.COPYFILE_EXCL);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    if (process.platform === 'win32') return backup;
    const { mode, uid, gid } = await lstat(path);
    await using copy = await open(backup, 'r+');
    await keepOwner(copy, path, { mode, uid, gid }).catch(async (error) => {
      await rm(backup, { force: true });
      throw error;
    });
    return backup;
  }
};
