import { type ReadPage, rowsPerRead } from '#runtime/row-export.ts';
import type { LogPosition } from './log-cursor.ts';
import type { LogSlice } from './log-page.ts';

/** All rows of a log for an export, newest first. */
export const newestFirst =
  <Row extends LogPosition>(read: (slice: LogSlice) => Promise<readonly Row[]>): ReadPage<Row> =>
  (last) =>
    read({
      order: 'newest first',
      beyond: last ? { at: last.at, id: last.id } : null,
      limit: rowsPerRead,
    });
