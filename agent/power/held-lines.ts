import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { isAbsent } from '#runtime/absent-file.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import { readJson } from '#runtime/read-json.ts';
import { sleep } from '#runtime/sleep.ts';
import type { EventBuffer } from '../game/event-buffer.ts';
import { createEventMarks } from '../game/event-marks.ts';
import type { LineStanding } from '../game/line-standing.ts';
import type { LineHistory } from '../history/line-history.ts';
import { consoleFolder, lastNumber } from './holder/console-log.ts';
import { openConsoleReader } from './holder/console-reader.ts';

/**
 * How far the held console was read, and the number of its last event: an agent that continues there gives the same events the
 * same numbers, so that the API takes each once.
 */
const cursor = z.object({ journal: z.string(), line: z.int(), event: z.int() });
type LinesCursor = z.infer<typeof cursor>;

const cursorPath = (powerFolder: string): string => join(powerFolder, 'lines.json');

/** @throws {StartupError} when it cannot be read now: starting over would report everything to the API twice */
export const readLinesCursor = (powerFolder: string): LinesCursor => {
  const path = cursorPath(powerFolder);
  const journal = randomBytes(12).toString('base64url');
  try {
    const text = readText(path);
    if (text === null) return { journal, line: 0, event: 0 };
    const newest = newestLine(powerFolder);
    const kept = readJson(cursor, text);
    // Damaged, for example by a power cut: it is unknown what was reported, and nothing is reported twice.
    if (!kept) return { journal, line: newest, event: 0 };
    // If the console's files were removed, the numbers start again.
    return { ...kept, line: Math.min(kept.line, newest) };
  } catch (error) {
    throw new StartupError(
      `How far the game's console was read stands in ${path}, which cannot be read: ${(error as Error).message}`,
      { cause: error },
    );
  }
};

const readText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
};

const newestLine = (powerFolder: string): number => {
  try {
    return lastNumber(consoleFolder(powerFolder));
  } catch (error) {
    if (isAbsent(error)) return 0;
    throw error;
  }
};

const positionOf = (line: number): string => `held ${line}`;

/** The line number in a stored position; if the console's files were removed, the numbers start again. */
const keptLine = (powerFolder: string, position: string | null): number | null => {
  const line = /^held (\d{1,15})$/.exec(position ?? '')?.[1];
  return line === undefined ? null : Math.min(Number(line), newestLine(powerFolder));
};

/** Reads the held game's output from the cursor on. A line counts as read when the API has its events. */
export const followHeldLines = (options: {
  readonly powerFolder: string;
  readonly from: LinesCursor;
  readonly history: Pick<LineHistory, 'position' | 'flush'>;
  readonly events: Pick<EventBuffer, 'acknowledged' | 'last'>;
  readonly onLine: (line: string, ageMs: number, standing: LineStanding) => void;
  readonly log: Log;
  readonly pollMs?: number | undefined;
}): AsyncDisposable => {
  const { powerFolder, from, history, events, onLine, log, pollMs = 250 } = options;
  const stopping = new AbortController();
  const historyHas = keptLine(powerFolder, history.position) ?? from.line;
  const reader = openConsoleReader(consoleFolder(powerFolder), Math.min(from.line, historyHas));
  const marks = createEventMarks<number>(events, history, (line, event) =>
    writeFileAtomically(
      cursorPath(powerFolder),
      JSON.stringify({ ...from, line, event } satisfies LinesCursor),
      0o600,
    ),
  );
  let complaint: string | null = null;

  const readOn = async () => {
    for (const { number, text, ageMs } of await reader.readOn()) {
      const isObserved = number <= from.line;
      onLine(text, ageMs, { isObserved, isKept: number <= historyHas, position: positionOf(number) });
      if (!isObserved) marks.read(number);
    }
    await marks.keepAtTimes();
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        await readOn();
        complaint = null;
      } catch (error) {
        const why = (error as Error).message;
        if (why !== complaint) log.warn({ err: error }, "could not read the game's console output");
        complaint = why;
      }
      await sleep(pollMs, stopping.signal);
    }
    await marks
      .keep()
      .catch((error: Error) => log.warn({ err: error }, 'could not store the read position of the console'));
    await reader[Symbol.asyncDispose]();
  };
  const ended = loop();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await ended;
    },
  };
};

/** @param first the first line of the run whose lines are wanted */
export const lastHeldLines = async (
  powerFolder: string,
  first: number,
  most: number,
): Promise<readonly string[]> => {
  await using reader = openConsoleReader(
    consoleFolder(powerFolder),
    Math.max(first - 1, newestLine(powerFolder) - most),
  );
  const lines: string[] = [];
  for (let read = await reader.readOn(); read.length > 0; read = await reader.readOn())
    lines.push(...read.map(({ text }) => text));
  return lines.slice(-most);
};
