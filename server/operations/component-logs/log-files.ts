import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogComponent } from '#contracts/operations/component-logs.ts';
import { Problem } from '#runtime/problem.ts';

/** One file of a log, as listed. */
export interface ListedFile {
  /** Higher is newer. */
  readonly number: number;
  readonly path: string;
  /** Where it goes when it is put aside; the same as `path` once it was. */
  readonly restingPath: string;
  /** Tells whether a file found under its name is still the same one. */
  readonly identity: bigint;
  readonly bytes: number;
  readonly changedAt: Date;
  /** The file that is being written: its last line may be incomplete. */
  readonly isOpen: boolean;
}

/** One rotation can spoil one try; two in a row do not happen in so short a time. */
const mostTries = 5;

/**
 * All files of a component's log, the oldest first; none when there is no log.
 * @throws {Problem} LOG_UNREADABLE
 */
export const listLogFiles = async (
  folder: string,
  component: LogComponent,
): Promise<readonly ListedFile[]> => {
  const name = `${component}.log`;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = await inspect(join(folder, name));
    const numbers = await restingNumbers(folder, name);
    const after = await inspect(join(folder, name));
    // Put aside in between: the numbers that were read say nothing about it.
    if (before?.ino !== after?.ino) continue;
    const resting = numbers.map(async (number) => {
      const path = join(folder, `${name}.${number}`);
      return describe(await inspect(path), { number, path, restingPath: path, isOpen: false });
    });
    const number = (numbers.at(-1) ?? 0) + 1;
    const path = join(folder, name);
    const open = describe(after, { number, path, restingPath: `${path}.${number}`, isOpen: true });
    return [...(await Promise.all(resting)), open].filter((file) => file !== null);
  }
  throw new Error(`${name} is put aside faster than it can be listed`);
};

/** The file itself, wherever it is now; null when it is gone. @throws {Problem} LOG_UNREADABLE */
export const openLogFile = async (file: ListedFile): Promise<FileHandle | null> => {
  for (const path of new Set([file.path, file.restingPath])) {
    const handle = await orNull(open(path, 'r'));
    if (!handle) continue;
    if ((await handle.stat({ bigint: true })).ino === file.identity) return handle;
    await handle.close();
  }
  return null;
};

/** Null when there is none. Only files count: a link could lead anywhere. */
const inspect = async (path: string): Promise<BigIntStats | null> => {
  const found = await orNull(lstat(path, { bigint: true }));
  return found?.isFile() ? found : null;
};

const describe = (
  found: BigIntStats | null,
  place: Pick<ListedFile, 'number' | 'path' | 'restingPath' | 'isOpen'>,
): ListedFile | null =>
  found && { ...place, identity: found.ino, bytes: Number(found.size), changedAt: found.mtime };

const restingNumbers = async (folder: string, name: string): Promise<number[]> => {
  const names = (await orNull(readdir(folder))) ?? [];
  const numbers = names
    .filter((other) => other.startsWith(`${name}.`) && /^\d{1,9}$/.test(other.slice(name.length + 1)))
    .map((other) => Number(other.slice(name.length + 1)));
  // Once each: `7` can also be written `007` by other programs.
  return [...new Set(numbers)].sort((a, b) => a - b);
};

const orNull = async <Found>(looking: Promise<Found>): Promise<Found | null> => {
  try {
    return await looking;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    // The error's message names the path, which belongs only in the log.
    throw new Problem('LOG_UNREADABLE', { detail: `The system refuses to read it: ${code}.`, cause: error });
  }
};

/**
 * A place in a log that stays the same when files are put aside: the open file already has the number here that it will
 * have then.
 */
export interface LogPosition {
  readonly file: number;
  /** Bytes from its beginning. */
  readonly offset: number;
}

export const formatPosition = ({ file, offset }: LogPosition): string => `${file}.${offset}`;

const pattern = /^(\d{1,10})\.(\d{1,15})$/;

/** Null when it is not one of ours. */
export const readPosition = (text: string): LogPosition | null => {
  const [, file, offset] = pattern.exec(text) ?? [];
  return file === undefined || offset === undefined ? null : { file: Number(file), offset: Number(offset) };
};

/** @throws {Problem} INVALID_REQUEST when it is not one of ours */
export const demandPosition = (cursor: string): LogPosition => {
  const position = readPosition(cursor);
  if (position) return position;
  throw new Problem('INVALID_REQUEST', { detail: 'This cursor comes from no page of this log.' });
};

export const isBefore = (one: LogPosition, other: LogPosition): boolean =>
  one.file < other.file || (one.file === other.file && one.offset < other.offset);
