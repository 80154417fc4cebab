import { Readable } from 'node:stream';
import { csvLine } from './csv.ts';

/** Few enough that formatting them does not hold up other requests. */
export const rowsPerRead = 500;

/** @param last the row before the page; undefined for the first page */
export type ReadPage<Row> = (last: Row | undefined) => Promise<readonly Row[]>;

export type Columns<Row> = Readonly<Record<string, (row: Row) => string | null>>;

/** One JSON document per line. */
export const exportJsonLines = <Row>(read: ReadPage<Row>, toJson: (row: Row) => unknown): Promise<Readable> =>
  streamRows(read, '', (row) => `${JSON.stringify(toJson(row))}\n`);

/** RFC 4180 with a header line; the byte order mark tells spreadsheets that it is UTF-8. */
export const exportCsv = <Row>(read: ReadPage<Row>, columns: Columns<Row>): Promise<Readable> => {
  const cells = Object.values(columns);
  return streamRows(read, `\uFEFF${csvLine(Object.keys(columns))}`, (row) =>
    csvLine(cells.map((cell) => cell(row) ?? '')),
  );
};

/**
 * All rows page by page: no connection and no snapshot is held while a slow client reads, and a page is read only when the
 * previous one has been sent. The first page is read before anything is sent, so that an error of the database is still answered
 * as a problem.
 */
const streamRows = async <Row>(
  read: ReadPage<Row>,
  head: string,
  format: (row: Row) => string,
): Promise<Readable> => {
  const first = await read(undefined);
  const chunks = async function* () {
    if (head) yield head;
    for (let rows = first; ; rows = await read(rows.at(-1))) {
      if (rows.length > 0) yield rows.map(format).join('');
      if (rows.length < rowsPerRead) return;
    }
  };
  return Readable.from(chunks(), { objectMode: false });
};
