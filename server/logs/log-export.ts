import { Readable } from 'node:stream';
import { csvLine } from '#runtime/csv.ts';
import type { LogPosition } from './log-cursor.ts';
import type { LogSlice } from './log-page.ts';

/** Few enough that formatting them does not hold up other requests. */
const rowsPerRead = 500;

/**
 * All rows newest first, page by page: no connection and no snapshot is held while a slow client takes its time, and a
 * page is read only when the one before has left.
 */
async function* logPages<Row extends LogPosition>(
  read: (slice: LogSlice) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let beyond: LogPosition | null = null;
  for (;;) {
    const rows: readonly Row[] = await read({ order: 'newest first', beyond, limit: rowsPerRead });
    if (rows.length > 0) yield rows;
    const last: Row | undefined = rows.at(-1);
    if (!last || rows.length < rowsPerRead) return;
    beyond = { at: last.at, id: last.id };
  }
}

/** One JSON document a line. */
export const exportJsonLines = <Row extends LogPosition>(
  read: (slice: LogSlice) => Promise<readonly Row[]>,
  toJson: (row: Row) => unknown,
): Promise<Readable> => streamOf(read, '', (row) => `${JSON.stringify(toJson(row))}\n`);

/** RFC 4180 with a header line; the byte order mark tells spreadsheets that it is UTF-8. */
export const exportCsv = <Row extends LogPosition>(
  read: (slice: LogSlice) => Promise<readonly Row[]>,
  columns: Readonly<Record<string, (row: Row) => string | null>>,
): Promise<Readable> => {
  const cells = Object.values(columns);
  return streamOf(read, `\uFEFF${csvLine(Object.keys(columns))}`, (row) =>
    csvLine(cells.map((cell) => cell(row) ?? '')),
  );
};

/** The first page is read before anything is sent: what the database refuses is still answered as a problem. */
const streamOf = async <Row extends LogPosition>(
  read: (slice: LogSlice) => Promise<readonly Row[]>,
  head: string,
  format: (row: Row) => string,
): Promise<Readable> => {
  const pages = logPages(read);
  const first = await pages.next();
  const chunks = async function* () {
    if (head) yield head;
    if (first.done) return;
    yield first.value.map(format).join('');
    for await (const rows of pages) yield rows.map(format).join('');
  };
  return Readable.from(chunks(), { objectMode: false });
};
