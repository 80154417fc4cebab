import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '#runtime/absent-file.ts';
import type { Log } from '#runtime/log.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { cutText } from '../game/cut-text.ts';
import { lastPosition, readBack, storedLine, storedPosition } from './read-back.ts';
import { dropTornLine, pruneSegments, readSegments, segmentPath } from './segments.ts';

interface HistoryLine {
  /** Stays the same while the line is kept; the cursor for older lines. */
  readonly id: string;
  /** Unix time in milliseconds, by this machine's clock. */
  readonly atMs: number;
  readonly text: string;
}

interface HistoryPage {
  /** Newest first. */
  readonly lines: readonly HistoryLine[];
  /** The cursor of the next page; null at the oldest line that is kept. */
  readonly next: string | null;
}

/** Console and log lines of the last days, on this machine's disk. */
export interface LineHistory extends AsyncDisposable {
  /**
   * Never waits, and never fails: lines that the disk does not accept are counted and left out.
   * @param position of the line in its source; contains no line break
   */
  add(text: string, ageMs?: number, position?: string): void;
  /** The position of the newest line that an earlier agent has stored with one. */
  readonly position: string | null;
  /** Resolves when each added line is stored, or counted as left out: a reading position may be stored after it. */
  flush(): Promise<void>;
  /** Limited in bytes and time, so a page may have fewer lines than there are. Null for an invalid cursor. */
  read(query: {
    /** The cursor of an earlier page; null: from the newest line. */
    readonly before: string | null;
    /** A part of the text, in any case. */
    readonly search: string | null;
    readonly limit: number;
    readonly signal?: AbortSignal;
  }): Promise<HistoryPage | null>;
}

const longestLine = 4000;
const flushMs = 250;
const flushCharacters = 64 * 1024;
/** Bytes that may wait for a disk that is slower than the game. */
const mostWaiting = 4 * 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;
const pruneMs = 60 * 60 * 1000;
/** If clock and elapsed time differ by more, the clock was set, and for a day no file is deleted for its age. */
const clockToleranceMs = 10 * 60 * 1000;
/** For one page. */
const mostPageCharacters = 160 * 1024;
const longestReadMs = 2000;
const cursorShape = /^(\d{1,15})\.(\d{1,15})$/;

export const openLineHistory = async (options: {
  readonly stateFolder: string;
  readonly days: number;
  readonly megabytes: number;
  readonly log: Log;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
  /** Elapsed milliseconds, which no clock change affects. */
  readonly passed?: () => number;
  readonly segmentBytes?: number;
}): Promise<LineHistory> => {
  const { stateFolder, days, megabytes, log, now = Date.now, passed = () => performance.now() } = options;
  const mostBytes = megabytes * 1024 * 1024;
  const { segmentBytes = Math.min(8 * 1024 * 1024, Math.ceil(mostBytes / 8)) } = options;
  const folder = join(stateFolder, 'history');
  await mkdir(folder, { recursive: true, mode: 0o700 });

  let waiting: string[] = [];
  let position: string | null = null;
  let waitingCharacters = 0;
  let leftOut = 0;
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;

  const segments = await readSegments(folder);
  const last = segments.at(-1);
  let number = last?.number ?? 1;
  let size = last ? await dropTornLine(last) : 0;
  const earlierPosition = await lastPosition(segments.slice(-2).reverse());
  let file: FileHandle = await open(segmentPath(folder, number), 'a', 0o600);
  let begunAtMs = performance.now();

  // Off for longer, or its clock is wrong: no one can tell.
  const wasOff = last !== undefined && Math.abs(now() - last.writtenAtMs) > 3 * dayMs;
  const isClockTrusted = clockWatch(now, passed, !wasOff);
  const prune = () =>
    pruneSegments(folder, {
      bytes: mostBytes - segmentBytes,
      oldestMs: isClockTrusted() ? now() - days * dayMs : null,
    });
  const pruneQuietly = () =>
    prune().catch((error: unknown) => log.warn({ err: error }, 'could not delete old console lines'));
  const pruning = setInterval(() => void pruneQuietly(), pruneMs).unref();
  await pruneQuietly();

  const rotate = async () => {
    await file.close();
    number += 1;
    size = 0;
    begunAtMs = performance.now();
    file = await open(segmentPath(folder, number), 'a', 0o600);
    await pruneQuietly();
  };

  const write = async (text: string) => {
    const bytes = Buffer.from(text);
    if (size > 0 && (size + bytes.length > segmentBytes || performance.now() - begunAtMs > dayMs))
      await rotate();
    try {
      await file.appendFile(bytes);
      size += bytes.length;
    } catch (error) {
      // A part of it may have been written; the next line must start on its own.
      await file.truncate(size).catch(() => undefined);
      throw error;
    }
  };
  const writeAll = singleFlight(async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      const mark = position === null ? '' : storedPosition(position);
      waiting = [];
      position = null;
      waitingCharacters = 0;
      const lost = leftOut;
      leftOut = 0;
      if (lost > 0) batch.push(storedLine(now(), `… ${lost} lines left out`));
      try {
        await write(`${batch.join('')}${mark}`);
        if (isFailing) log.info('storing console lines again');
        isFailing = false;
      } catch (error) {
        leftOut += lost + batch.length - (lost > 0 ? 1 : 0);
        if (!isFailing) log.warn({ err: error }, 'could not store console lines; is the disk full?');
        isFailing = true;
      }
    }
  });
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // What was added after the last look of a write that is under way needs one more.
    while (writeAll.underWay() !== null || waiting.length > 0) await writeAll();
  };

  return {
    position: earlierPosition,
    flush,
    add(text, ageMs = 0, at) {
      if (waitingCharacters > mostWaiting) {
        leftOut += 1;
        return;
      }
      const line = storedLine(Math.round(now() - ageMs), cutText(text, longestLine).replace(/[\r\n]+/g, ' '));
      waiting.push(line);
      position = at ?? position;
      waitingCharacters += line.length;
      if (waitingCharacters > flushCharacters) void flush();
      else timer ??= setTimeout(() => void flush(), flushMs);
    },
    async read({ before, search, limit, signal }) {
      const [, cursorNumber, cursorOffset] = before === null ? [] : (cursorShape.exec(before) ?? []);
      if (before !== null && cursorNumber === undefined) return null;
      await flush();
      const cursor = cursorNumber === undefined ? null : [Number(cursorNumber), Number(cursorOffset)];
      const sought = search === null ? null : search.toLowerCase();
      const untilMs = performance.now() + longestReadMs;
      const lines: HistoryLine[] = [];
      let characters = 0;
      let next: string | null = null;
      for (const segment of (await readSegments(folder)).reverse()) {
        const [from = Number.POSITIVE_INFINITY, offset = 0] = cursor ?? [];
        if (segment.number > from) continue;
        const end = segment.number === from ? offset : segment.bytes;
        for await (const chunk of readChunks(segment.path, end)) {
          for (const line of chunk) {
            if (lines.length >= limit || characters > mostPageCharacters) return { lines, next };
            next = `${segment.number}.${line.offset}`;
            if (sought !== null && !line.text.toLowerCase().includes(sought)) continue;
            lines.push({ id: next, atMs: line.atMs, text: line.text });
            characters += line.text.length;
          }
          if (performance.now() > untilMs || signal?.aborted) return { lines, next };
        }
      }
      return { lines, next: null };
    },
    async [Symbol.asyncDispose]() {
      clearInterval(pruning);
      await flush();
      await file.close();
    },
  };
};

/**
 * Whether the clock agrees with the elapsed time, or has run on for a day since it was set.
 * @param isTrusted whether it agrees with what was written before the start
 */
const clockWatch = (now: () => number, passed: () => number, isTrusted: boolean) => {
  const read = () => ({ wallMs: now(), passedMs: passed() });
  const driftMs = (from: ReturnType<typeof read>, to: ReturnType<typeof read>) =>
    Math.abs(to.wallMs - from.wallMs - (to.passedMs - from.passedMs));
  let trusted = isTrusted ? read() : null;
  let set = isTrusted ? null : read();
  return (): boolean => {
    const look = read();
    if (trusted === null || driftMs(trusted, look) >= clockToleranceMs) {
      if (set === null || driftMs(set, look) >= clockToleranceMs) set = look;
      if (look.passedMs - set.passedMs < dayMs) return false;
    }
    trusted = look;
    set = null;
    return true;
  };
};

/** Yields nothing for a file that was just deleted for its age. */
async function* readChunks(path: string, end: number): ReturnType<typeof readBack> {
  try {
    yield* readBack(path, end);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}
