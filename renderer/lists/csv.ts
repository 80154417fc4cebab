import type { ListColumn } from './list-props.ts';

/** To a spreadsheet, a cell that begins like this is a formula. */
const formulaStart = /^[\s"']*[=+\-@\t\r\n＝＋－＠]/;
/**
 * So is whatever follows one of these inside a cell, if the reader treats it as the separator: in half of the world `;`
 * is the separator.
 */
const innerStart = /([;\t|\r\n][\s"']*)(?=[=+\-@＝＋－＠])/g;

/** One cell by RFC 4180; a leading apostrophe turns formulas into text, as in the API's exports. */
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
