import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { Log } from '#runtime/log.ts';
import type { EventBuffer } from '../game/event-buffer.ts';
import { consoleFolder, lastNumber } from './holder/console-log.ts';
import { openConsoleReader } from './holder/console-reader.ts';

/**
 * How far the held console was read, and which event came of it last: an agent that goes on there gives the same events the
 * same numbers, so that the API takes each once.
 */
const cursor = z.object({ journal: z.string(), line: z.int(), event: z.int() });
export type LinesCursor = z.infer<typeof cursor>;

const cursorPath = (powerFolder: string): string => join(powerFolder, 'lines.json');

export const readLinesCursor = (powerFolder: string): LinesCursor => {
  try {
    const kept = cursor.parse(JSON.parse(readFileSync(cursorPath(powerFolder), 'utf8')));
    // Where the console's files were removed, their numbers begin again.
    return { ...kept, line: Math.min(kept.line, newestLine(powerFolder)) };
  } catch {
    return { journal: randomBytes(12).toString('base64url'), line: 0, event: 0 };
  }
};

const newestLine = (powerFolder: string): number => {
  try {
    return lastNumber(consoleFolder(powerFolder));
  } catch {
    return 0;
  }
};

export interface HeldLinesOptions {
  readonly powerFolder: string;
  readonly from: LinesCursor;
  readonly events: Pick<EventBuffer, 'acknowledged' | 'last'>;
  readonly onLine: (line: string, ageMs: number) => void;
  readonly log: Log;
  readonly pollMs?: number | undefined;
}

/** As many as the events that are kept for the API. */
const mostMarks = 5000;

/** Reads what the held game writes, from the cursor on. A line counts as read when the API has its events. */
export const followHeldLines = (options: HeldLinesOptions): AsyncDisposable => {
  const { powerFolder, from, events, onLine, log, pollMs = 250 } = options;
  const stopping = new AbortController();
  const reader = openConsoleReader(consoleFolder(powerFolder), from.line);
  /** Lines whose events are not acknowledged; each is the last line before the next event. */
  let marks: { line: number; event: number }[] = [];
  let kept = from;
  let complaint: string | null = null;

  const keep = () => {
    const acknowledged = events.acknowledged();
    const done = marks.findLast(({ event }) => event <= acknowledged);
    if (!done || done.line === kept.line) return;
    marks = marks.filter(({ line }) => line > done.line);
    const next = { ...kept, ...done };
    // Lost with the power, it is a little older, and the API drops what it has.
    const path = cursorPath(powerFolder);
    writeFileSync(`${path}.new`, JSON.stringify(next), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    kept = next;
  };
  const readOn = async () => {
    for (const { number, text, ageMs } of await reader.readOn()) {
      onLine(text, ageMs);
      const event = events.last();
      const newest = marks.at(-1);
      if (newest?.event === event) newest.line = number;
      else marks.push({ line: number, event });
      if (marks.length > mostMarks) marks.shift();
    }
    keep();
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        await readOn();
        complaint = null;
      } catch (error) {
        const why = (error as Error).message;
        if (why !== complaint) log.warn({ err: error }, "what the game's console wrote cannot be read");
        complaint = why;
      }
      await delay(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
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

/** @param first where the run began whose lines are asked for */
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
