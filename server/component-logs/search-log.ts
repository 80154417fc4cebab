import type {
  ComponentLogPage,
  ComponentLogRow,
  ComponentLogSearch,
  LogComponent,
} from '#contracts/component-logs.ts';
import type { Redact } from '#runtime/redact.ts';
import { listLogFiles } from './log-files.ts';
import { demandPosition, formatPosition, type LogPosition } from './log-position.ts';
import { createMatcher, rowOf } from './log-row.ts';
import { endOfLog } from './read-forwards.ts';
import { scanBackwards } from './scan-backwards.ts';

/** What one request reads, and roughly the limit of its response, in bytes. */
const searchBytes = 8 * 1024 * 1024;
const answerBytes = 1024 * 1024;

export interface LogToSearch {
  readonly folder: string;
  readonly component: LogComponent;
  readonly redact: Redact;
}

/** @throws {Problem} INVALID_REQUEST when the cursor is invalid */
export const searchLog = async (
  { folder, component, redact }: LogToSearch,
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
