/** A spreadsheet treats a cell that begins like this as a formula. */
const formulaStart = /^[\s"']*[=+\-@\t\r\n＝＋－＠]/;
/** The same after one of these inside a cell, when the reader uses it as the separator: half of the world uses `;`. */
const innerStart = /([;\t|\r\n][\s"']*)(?=[=+\-@＝＋－＠])/g;

/** One cell by RFC 4180; a leading apostrophe turns what a spreadsheet would run into text. */
export const csvCell = (text: string): string => {
  const defused = (formulaStart.test(text) ? `'${text}` : text).replace(innerStart, "$1'");
  return /[",;|\t\r\n]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused;
};

export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;
