import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { bootId, sinceBootMs } from '../process/process-identity.ts';

/**
 * The game's console output, in numbered files. A file begins with a line that describes its clock; each further line is
 * `<number> <milliseconds since the machine's start> <text>`. Numbers continue from file to file and from start to start.
 */
export const consoleFolder = (powerFolder: string): string => join(powerFolder, 'console');

interface ConsoleLog extends Disposable {
  add(lines: readonly string[]): void;
  /** The number of the last line written; 0 before the first. */
  last(): number;
}

interface ConsoleLogLimits {
  /** The size in bytes at which a new file begins. */
  readonly fileBytes: number;
  /** A file is removed when the newer ones together reach this size. */
  readonly allBytes: number;
}

/** About 400,000 lines, a day or two of a chatty game. */
const usualLimits: ConsoleLogLimits = { fileBytes: 2 * 2 ** 20, allBytes: 20 * 2 ** 20 };
/** After a file could not be created, it is not retried for each line. */
const beginAgainMs = 1000;
/** Each start begins a file; a game that is restarted again and again does not fill the folder. */
const mostFiles = 50;

/** Identifies the clock of a file's lines: they contain no wall time, which may jump. */
export const clockLine = z.object({ boot: z.string(), wallMs: z.number(), sinceBootMs: z.number() });
export type ClockLine = z.infer<typeof clockLine>;

export const consoleFiles = (folder: string): { readonly first: number; readonly path: string }[] => {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return names
    .map(({ name }) => ({ first: Number(/^(\d{12})\.log$/.exec(name)?.[1]), path: join(folder, name) }))
    .filter(({ first }) => Number.isSafeInteger(first))
    .sort((a, b) => a.first - b.first);
};

/** One writer at a time. Lines have reached the system when `add` returns, so that a kill loses none. */
export const openConsoleLog = (folder: string, limits = usualLimits): ConsoleLog => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let number = lastNumber(folder);
  let file: number | null = null;
  let bytes = 0;
  let lost = 0;
  let notBeforeMs = 0;

  const begin = () => {
    if (sinceBootMs() < notBeforeMs) throw new Error('it could not be begun just now');
    notBeforeMs = sinceBootMs() + beginAgainMs;
    if (file !== null) closeSync(file);
    file = null;
    const first = String(number + 1).padStart(12, '0');
    const opened = openSync(join(folder, `${first}.log`), 'w', 0o600);
    try {
      const clock: ClockLine = { boot: bootId(), wallMs: Date.now(), sinceBootMs: sinceBootMs() };
      bytes = writeWhole(opened, Buffer.from(`${JSON.stringify(clock)}\n`));
    } catch (error) {
      closeSync(opened);
      throw error;
    }
    file = opened;
    notBeforeMs = 0;
    removeOldest(folder, limits.allBytes);
  };
  const write = (lines: readonly string[]) => {
    if (file === null || bytes >= limits.fileBytes) begin();
    if (file === null) return;
    const atMs = sinceBootMs();
    const text = Buffer.from(
      lines.map((line, index) => `${number + 1 + index} ${atMs} ${line.replaceAll('\r', ' ')}\n`).join(''),
    );
    const before = bytes;
    try {
      bytes += writeWhole(file, text);
    } catch (error) {
      // Half a line would later count as a whole one.
      ftruncateSync(file, before);
      bytes = before;
      throw error;
    }
    number += lines.length;
  };

  return {
    add(lines) {
      if (lines.length === 0) return;
      const told = lost > 0 ? [`… ${lost} lines of the console are missing: they could not be written`] : [];
      try {
        write([...told, ...lines]);
        lost = 0;
      } catch {
        // A full disk must not end the game: the number of missing lines is reported once there is room again.
        lost += lines.length;
      }
    },
    last: () => number,
    [Symbol.dispose]() {
      if (file !== null) closeSync(file);
    },
  };
};

const writeWhole = (file: number, text: Buffer): number => {
  for (let at = 0; at < text.length; ) at += writeSync(file, text, at);
  return text.length;
};

const removeOldest = (folder: string, allBytes: number): void => {
  let newerBytes = 0;
  for (const [age, { path }] of consoleFiles(folder).reverse().entries()) {
    const { size } = statSync(path);
    if (newerBytes >= allBytes || age >= mostFiles) rmSync(path, { force: true });
    else newerBytes += size;
  }
};

/** Number of the last complete line; 0 when there is none. */
export const lastNumber = (folder: string): number => {
  const newest = consoleFiles(folder).at(-1);
  if (!newest) return 0;
  // After a power failure the last line may be incomplete; it does not count.
  const complete = readFileSync(newest.path, 'latin1');
  const lines = complete.slice(0, complete.lastIndexOf('\n') + 1).split('\n');
  for (const line of lines.reverse()) {
    const found = Number.parseInt(line, 10);
    if (/^\d+ \d+ /.test(line) && Number.isSafeInteger(found)) return found;
  }
  return newest.first - 1;
};
