import { type FileHandle, open } from 'node:fs/promises';
import { isAbsent } from '#runtime/absent-file.ts';
import { bootId, isOfThisBoot, sinceBootMs } from '../process/process-identity.ts';
import { type ClockLine, clockLine, consoleFiles } from './console-log.ts';

interface ConsoleLine {
  readonly number: number;
  readonly text: string;
  /** Since the game wrote it, in milliseconds. */
  readonly ageMs: number;
}

interface ConsoleReader extends AsyncDisposable {
  /** All complete lines that were not read yet, in the order of their numbers. */
  readOn(): Promise<ConsoleLine[]>;
}

const chunkBytes = 64 * 1024;
/** Per call; the next call continues. */
const mostChunks = 16;

interface Open {
  readonly path: string;
  readonly file: FileHandle;
  clock: ClockLine | null;
  rest: Buffer;
}

/**
 * Reads the holder's console files from the line after `after`. Lines that were removed in between are replaced by one that tells
 * how many; a reader that starts at 0 gets all existing lines, and misses none.
 */
export const openConsoleReader = (folder: string, after: number): ConsoleReader => {
  let next = after + 1;
  let current: Open | null = null;

  const filesOf = () => {
    try {
      return consoleFiles(folder);
    } catch (error) {
      if (isAbsent(error)) return [];
      throw error;
    }
  };
  const enter = async (path: string) => {
    await current?.file.close();
    current = null;
    current = { path, file: await open(path, 'r'), clock: null, rest: Buffer.alloc(0) };
  };
  /** The newest file that begins no later than the next line, else the oldest one. */
  const findFile = (): string | null => {
    const files = filesOf();
    return (files.findLast(({ first }) => first <= next) ?? files[0])?.path ?? null;
  };

  const linesOf = (from: Open, bytes: Buffer): ConsoleLine[] => {
    const all = Buffer.concat([from.rest, bytes]);
    const end = all.lastIndexOf(0x0a) + 1;
    from.rest = Buffer.from(all.subarray(end));
    const lines: ConsoleLine[] = [];
    for (const line of all.subarray(0, end).toString('utf8').split('\n').slice(0, -1)) {
      if (from.clock === null) {
        from.clock = readClock(line);
        continue;
      }
      const [, number, atMs, text] = /^(\d+) (\d+) (.*)$/s.exec(line) ?? [];
      if (text === undefined || Number(number) < next) continue;
      const ageMs = ageOf(from.clock, Number(atMs));
      const missing = Number(number) - next;
      if (missing > 0 && next > 1)
        lines.push({
          number: Number(number) - 1,
          text: `… ${missing} lines of the console are missing`,
          ageMs,
        });
      next = Number(number) + 1;
      lines.push({ number: Number(number), text, ageMs });
    }
    return lines;
  };

  return {
    async readOn() {
      const lines: ConsoleLine[] = [];
      for (let chunks = 0; chunks < mostChunks; ) {
        if (!current) {
          const path = findFile();
          if (path === null) return lines;
          await enter(path);
        }
        const reading: Open | null = current;
        if (!reading) return lines;
        // Looked up before the end is read: lines written to this file before another one begins are still read.
        const successor = findFile();
        const buffer = Buffer.alloc(chunkBytes);
        const { bytesRead } = await reading.file.read(buffer, 0, chunkBytes, null);
        if (bytesRead > 0) {
          chunks += 1;
          lines.push(...linesOf(reading, buffer.subarray(0, bytesRead)));
          continue;
        }
        if (successor === null || successor === reading.path) return lines;
        await enter(successor);
      }
      return lines;
    },
    async [Symbol.asyncDispose]() {
      await current?.file.close();
    },
  };
};

const readClock = (line: string): ClockLine => {
  try {
    return clockLine.parse(JSON.parse(line));
  } catch {
    // The lines of a damaged file still count; only their age is unknown.
    return { boot: bootId(), wallMs: Date.now(), sinceBootMs: sinceBootMs() };
  }
};

/** The boot clock does not span a restart of the machine, so earlier boots are measured by the wall clock. */
const ageOf = (clock: ClockLine, atMs: number): number => {
  const age = isOfThisBoot(clock.boot, atMs)
    ? sinceBootMs() - atMs
    : Date.now() - (clock.wallMs + (atMs - clock.sinceBootMs));
  return Math.max(0, age);
};
