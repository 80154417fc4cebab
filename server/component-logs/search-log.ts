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

/** What one request looks through, and about what it may answer, in bytes. */
const searchBytes = 8 * 1024 * 1024;
const answerBytes = 1024 * 1024;

export interface LogToSearch {
  readonly folder: string;
  readonly component: LogComponent;
  readonly redact: Redact;
}

/** @throws {Problem} INVALID_REQUEST when the cursor is none */
export const searchLog = async (
  { folder, component, redact }: LogToSearch,
  { cursor, limit, ...filter }: ComponentLogSearch,
): Promise<ComponentLogPage> => {
  const cursorPosition = cursor === undefined ? null : demandPosition(cursor);
  const files = await listLogFiles(folder, component);
  const end = await endOfLog(files);
  // A number that is higher than all: the files were removed by somebody, and counting began anew.
  const from = cursorPosition && cursorPosition.file <= end.file ? cursorPosition : end;

  const matches = createMatcher(filter);
  const rows: ComponentLogRow[] = [];
  let lookedAt = 0;
  let scannedBytes = 0;
  let answeredBytes = 0;
  let searchedUntil: string | null = null;
  const stopAt = (position: LogPosition | null, stoppedEarly = false): ComponentLogPage => {
    // Nothing is older than the very beginning: no page of nothing follows.
    const oldest = files[0]?.number ?? 0;
    const isBeginning = position === null || (position.file <= oldest && position.offset === 0);
    const nextCursor = isBeginning ? null : formatPosition(position);
    return { rows, nextCursor, stoppedEarly, searchedUntil, liveCursor: formatPosition(end) };
  };

  for await (const { lines, lineEnd, readTo, bytes } of scanBackwards(files, from)) {
    for (const line of lines) {
      // The file may be older than this installation's care, so secrets are masked before anything is looked for.
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
    // A line that is longer than one search is passed piece by piece: no search would get over it otherwise.
    if (scannedBytes >= searchBytes) return stopAt(lookedAt > 0 ? lineEnd : readTo, true);
  }
  return stopAt(null);
};
