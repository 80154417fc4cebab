import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { isAbsent } from '#runtime/absent-file.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import { readJson } from '#runtime/read-json.ts';
import type { LineHistory } from '../history/line-history.ts';
import type { EventBuffer } from './event-buffer.ts';
import { createEventMarks } from './event-marks.ts';
import type { LineStanding } from './line-standing.ts';
import { followLog, type LogPosition, type LogTail } from './log-tail.ts';

const position = z.object({
  identity: z.string(),
  offset: z.int().nonnegative(),
  before: z.object({ bytes: z.int().nonnegative(), digest: z.string(), head: z.string() }).optional(),
});

/** How far the game's log was read, and the number of its last event: the next agent continues there with the same numbers. */
const logCursor = z.object({
  journal: z.string(),
  event: z.int(),
  path: z.string(),
  at: position.nullable(),
});
type LogCursor = z.infer<typeof logCursor>;

const cursorPath = (stateFolder: string): string => join(stateFolder, 'log-lines.json');

/** @throws {StartupError} when it cannot be read now: starting over would report everything to the API twice */
export const readLogCursor = async (stateFolder: string, logFile: string): Promise<LogCursor> => {
  const path = cursorPath(stateFolder);
  const none: LogCursor = {
    journal: randomBytes(12).toString('base64url'),
    event: 0,
    path: logFile,
    at: null,
  };
  try {
    const kept = readJson(logCursor, await readFile(path, 'utf8')) ?? none;
    return kept.path === logFile ? kept : { ...kept, path: logFile, at: null };
  } catch (error) {
    if (isAbsent(error)) return none;
    throw new StartupError(
      `How far the game's log was read stands in ${path}, which cannot be read: ${(error as Error).message}`,
      { cause: error },
    );
  }
};

/** Reads the game's log from the cursor on, or from its end when nothing was read before. */
export const followKeptLog = async (options: {
  readonly stateFolder: string;
  readonly from: LogCursor;
  readonly history: Pick<LineHistory, 'position' | 'flush'>;
  readonly events: Pick<EventBuffer, 'acknowledged' | 'last'>;
  readonly onLine: (line: string, ageMs: number, standing: LineStanding) => void;
  /** The encoding of lines that are not UTF-8. */
  readonly encoding?: string | undefined;
  readonly log: Log;
  readonly pollMs?: number | undefined;
}): Promise<AsyncDisposable> => {
  const { stateFolder, from, history, events, onLine, encoding, log, pollMs } = options;
  const write = (at: LogPosition, event: number) =>
    writeFileAtomically(
      cursorPath(stateFolder),
      JSON.stringify({ ...from, at, event } satisfies LogCursor),
      0o600,
    );
  const marks = createEventMarks<LogPosition>(events, history, write);
  const historyHas = readPosition(history.position) ?? from.at;
  const gates = () => ({ isObserved: untilPassed(from.at, tail), isKept: untilPassed(historyHas, tail) });
  let gate: ReturnType<typeof gates> | null = null;
  let complaint: string | null = null;
  const keep = () =>
    marks.keepAtTimes().then(
      () => {
        complaint = null;
      },
      (error: Error) => {
        if (error.message !== complaint) log.warn({ err: error }, notKept);
        complaint = error.message;
      },
    );
  const tail = await followLog({
    path: from.path,
    from: earlierOf(from.at, historyHas),
    proof: from.at,
    encoding,
    onLine(line, ageMs, end) {
      // By now it is known where the reading begins.
      gate ??= gates();
      const isObserved = gate.isObserved(end);
      const position = `log ${end.identity} ${end.offset}`;
      onLine(line, ageMs, { isObserved, isKept: gate.isKept(end), position });
      if (!isObserved) marks.read(end);
    },
    onRead: keep,
    log,
    pollMs,
  });
  // After an agent that is killed before the first line, the next one continues here too.
  const start = tail.start();
  if (from.at === null && start)
    await write(start, from.event).catch((error: unknown) => log.warn({ err: error }, notKept));
  return {
    async [Symbol.asyncDispose]() {
      await tail[Symbol.asyncDispose]();
      await marks.keep().catch((error: unknown) => log.warn({ err: error }, notKept));
    },
  };
};

const notKept = "could not store the read position of the game's log";

const readPosition = (kept: string | null): LogPosition | null => {
  const [, identity, offset] = /^log (\S+) (\d{1,15})$/.exec(kept ?? '') ?? [];
  return identity === undefined ? null : { identity, offset: Number(offset) };
};

/** Within one file the earlier place; of two files the cursor's, which waits for the API. */
const earlierOf = (cursor: LogPosition | null, historyHas: LogPosition | null): LogPosition | null =>
  cursor && historyHas && cursor.identity === historyHas.identity && historyHas.offset < cursor.offset
    ? historyHas
    : cursor;

/** Whether a line precedes the end of the earlier reading. If that place is gone, none does. */
const untilPassed = (end: LogPosition | null, tail: LogTail): ((line: LogPosition) => boolean) => {
  if (end === null || !tail.isAhead(end)) return () => false;
  let isInFile = tail.start()?.identity === end.identity;
  let isPassed = false;
  return ({ identity, offset }) => {
    const isSame = identity === end.identity;
    isInFile ||= isSame;
    isPassed ||= isInFile && (!isSame || offset > end.offset);
    return !isPassed;
  };
};
