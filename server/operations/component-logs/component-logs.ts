import { Readable } from 'node:stream';
import {
  type ComponentLogPage,
  type ComponentLogRow,
  type ComponentLogSearch,
  type ComponentLogsUsage,
  type LogComponent,
  logComponents,
} from '#contracts/operations/component-logs.ts';
import type { Log } from '#runtime/log.ts';
import type { Redact } from '#runtime/redact.ts';
import type { LiveTopic } from '../../kernel/live/live-topic.ts';
import { createComponentLogTopic } from './component-log-topic.ts';
import { demandPosition, formatPosition, isBefore, type LogPosition, listLogFiles } from './log-files.ts';
import { createMatcher, rowOf } from './log-row.ts';
import { endOfLog, readForwards, scanBackwards } from './read-lines.ts';

/**
 * The log files of the components, which the supervisor writes and this only reads.
 * @throws {Problem} LOG_UNREADABLE, from all methods, when this process's account may not read them
 */
export interface ComponentLogs {
  usage(): Promise<ComponentLogsUsage>;
  /** @throws {Problem} INVALID_REQUEST when the cursor is invalid */
  search(component: LogComponent, query: ComponentLogSearch): Promise<ComponentLogPage>;
  /** All lines, the oldest first, as text. */
  download(component: LogComponent): Promise<Readable>;
  readonly topic: LiveTopic;
}

export const createComponentLogs = ({
  folder,
  redact,
  log,
}: {
  /** Where the supervisor writes the log files. */
  readonly folder: string;
  /** Masks secrets, in case a file contains one anyway. */
  readonly redact: Redact;
  readonly log: Log;
}): ComponentLogs => ({
  async usage() {
    const logs = logComponents.map(async (component) => {
      const files = await listLogFiles(folder, component);
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      const newest = files.findLast((file) => file.bytes > 0);
      return { component, bytes, newestAt: newest?.changedAt.toISOString() ?? null };
    });
    return { logs: await Promise.all(logs) };
  },
  search: (component, query) => searchLog({ folder, component, redact }, query),
  download: (component) => downloadLog({ folder, component, redact }),
  topic: createComponentLogTopic({ folder, redact, log }),
});

/** What one request reads, and roughly the limit of its response, in bytes. */
const searchBytes = 8 * 1024 * 1024;
const answerBytes = 1024 * 1024;

interface ComponentLogFiles {
  readonly folder: string;
  readonly component: LogComponent;
  readonly redact: Redact;
}

/** @throws {Problem} INVALID_REQUEST when the cursor is invalid */
const searchLog = async (
  { folder, component, redact }: ComponentLogFiles,
  { cursor, limit, ...filter }: ComponentLogSearch,
): Promise<ComponentLogPage> => {
  const cursorPosition = cursor === undefined ? null : demandPosition(cursor);
  const files = await listLogFiles(folder, component);
  const end = await endOfLog(files);
  // A number higher than all others: someone removed the files, and counting started again.
  const from = cursorPosition && cursorPosition.file <= end.file ? cursorPosition : end;

  const matches = createMatcher(filter);
  const rows: ComponentLogRow[] = [];
  let lookedAt = 0;
  let scannedBytes = 0;
  let answeredBytes = 0;
  let searchedUntil: string | null = null;
  const stopAt = (position: LogPosition | null, stoppedEarly = false): ComponentLogPage => {
    // Nothing is older than the very beginning: no empty page follows.
    const oldest = files[0]?.number ?? 0;
    const isBeginning = position === null || (position.file <= oldest && position.offset === 0);
    const nextCursor = isBeginning ? null : formatPosition(position);
    return { rows, nextCursor, stoppedEarly, searchedUntil, liveCursor: formatPosition(end) };
  };

  for await (const { lines, lineEnd, readTo, bytes } of scanBackwards(files, from)) {
    for (const line of lines) {
      // The file may predate this installation's masking, so secrets are masked before the search.
      const text = redact(line.text);
      const row = rowOf(component, { ...line, text });
      lookedAt += 1;
      searchedUntil = row.at ?? searchedUntil;
      if (!matches(row, text)) continue;
      rows.push(row);
      answeredBytes += Math.min(text.length, 32_000);
      if (rows.length === limit || answeredBytes > answerBytes) return stopAt(line.position);
    }
    scannedBytes += bytes;
    // A line that is longer than one search is passed piece by piece: otherwise no search would get past it.
    if (scannedBytes >= searchBytes) return stopAt(lookedAt > 0 ? lineEnd : readTo, true);
  }
  return stopAt(null);
};

/** In characters. This much of a piece waits for the next one: a secret across both is masked when they are together. */
const longestSecret = 4096;

/**
 * The log from its oldest line to the currently newest one, read as fast as the client takes it.
 * @throws {Problem} LOG_UNREADABLE
 */
export const downloadLog = async ({ folder, component, redact }: ComponentLogFiles): Promise<Readable> => {
  // Before the response begins: an unreadable log is reported, instead of a download that breaks off.
  const end = await endOfLog(await listLogFiles(folder, component));
  const chunks = async function* () {
    let held = '';
    for (
      let position: LogPosition = { file: 0, offset: 0 }, isMore = true;
      isMore && isBefore(position, end);
    ) {
      // Listed again: while a slow client takes its time, files are put aside and removed.
      const read = await readForwards(await listLogFiles(folder, component), position);
      let chunk = '';
      for (const { text, isCut } of read.lines) {
        const clean = redact(held + text);
        chunk += isCut ? clean.slice(0, -longestSecret) : `${clean}\n`;
        held = isCut ? clean.slice(-longestSecret) : '';
      }
      if (chunk !== '') yield chunk;
      ({ position, isMore } = read);
    }
    if (held !== '') yield `${held}\n`;
  };
  return Readable.from(chunks(), { objectMode: false });
};
