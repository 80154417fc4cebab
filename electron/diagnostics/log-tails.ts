import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { logsFolder } from '#runtime/home.ts';

interface LogTail {
  /** Path of the file, relative to the log folder. */
  readonly name: string;
  /** Its newest lines, unchanged. */
  readonly text: string;
  /** How many bytes of it are not in `text`. */
  readonly leftOut: number;
}

export interface TailLimits {
  readonly fileBytes: number;
  readonly allBytes: number;
}

/** Matches the names that the supervisor gives; other files there are not ours. */
const logFileName = /^[a-z-]{1,40}\.log(?:\.\d{1,9})?$/;

/** Where the host of Windows's services keeps the output of a service that could not even start. */
const hostFolder = 'service-host';
const hostFileName = /^[\w-]{1,80}\.log$/;

/** The log files of a data folder, most recently written first. @throws when the folder cannot be read */
export const logFilesOf = async (home: string): Promise<readonly string[]> => {
  const folder = logsFolder(home);
  const entries = await readdir(folder, { withFileTypes: true });
  const own = entries.map(({ name }) => name).filter((name) => logFileName.test(name));
  // A link could point anywhere.
  const hasHosts = entries.some((entry) => entry.name === hostFolder && entry.isDirectory());
  const hosts = hasHosts ? await readdir(join(folder, hostFolder)).catch(() => []) : [];
  const ofHosts = hosts.filter((name) => hostFileName.test(name)).map((name) => `${hostFolder}/${name}`);
  const found = await Promise.all(
    [...own, ...ofHosts].map(async (name) => ({
      name,
      about: await lstat(join(folder, name)).catch(() => null),
    })),
  );
  return found
    .filter(({ about }) => about?.isFile())
    .sort((a, b) => (b.about?.mtimeMs ?? 0) - (a.about?.mtimeMs ?? 0))
    .map(({ name }) => name);
};

/** Longer than any secret, half of which would not be recognized. */
export const tornMargin = 8192;

/**
 * The newest part of one log file.
 * @param bytes at most this many; a line that would be torn is left out
 */
export const readLogTail = async (home: string, name: string, bytes: number): Promise<LogTail> => {
  await using file = await open(join(logsFolder(home), name), 'r');
  const { size } = await file.stat();
  const from = Math.max(0, size - bytes);
  const buffer = Buffer.alloc(Math.min(size, bytes));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  const read = buffer.subarray(0, filled);
  const newline = read.indexOf(0x0a);
  const torn = from === 0 ? 0 : newline === -1 ? Math.min(tornMargin, filled) : newline + 1;
  return { name, text: read.subarray(torn).toString('utf8'), leftOut: from + torn };
};
