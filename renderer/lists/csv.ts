import type { ListColumn } from './list-props.ts';

/** A cell that begins like this is a formula to a spreadsheet. */
const formulaStart = /^[\s"']*[=+\-@\t\r\n＝＋－＠]/;
/** So does what follows these inside one, to a reader that takes them for the separator: in half of the world `;` is it. */
const innerStart = /([;\t|\r\n][\s"']*)(?=[=+\-@＝＋－＠])/g;

/** One cell by RFC 4180; what a spreadsheet would run is made a text by a leading apostrophe, as in the API's exports. */
export const csvCell = (text: string): string => {
  const defused = (formulaStart.test(text) ? `'${text}` : text).replace(innerStart, "$1'");
  return /[",;|\t\r\n]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused;
};

const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** With a header line; the byte order mark tells spreadsheets that it is UTF-8. */
export const csvOf = <Row>(
  rows: readonly Row[],
  columns: readonly Pick<ListColumn<Row>, 'header' | 'text'>[],
): string => {
  const exported = columns.flatMap(({ header, text }) => (text ? [{ header, text }] : []));
  const lines = rows.map((row) => csvLine(exported.map(({ text }) => text(row))));
  return `\uFEFF${csvLine(exported.map(({ header }) => header))}${lines.join('')}`;
};
