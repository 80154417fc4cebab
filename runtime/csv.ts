/** A cell that begins like this is a formula to a spreadsheet. */
const formulaStart = /^[\s"']*[=+\-@\t\r\n＝＋－＠]/;
/** So does what follows these inside one, to a reader that takes them for the separator: in half of the world `;` is it. */
const innerStart = /([;\t|\r\n][\s"']*)(?=[=+\-@＝＋－＠])/g;

/** One cell by RFC 4180; what a spreadsheet would run is made a text by a leading apostrophe. */
export const csvCell = (text: string): string => {
  const defused = (formulaStart.test(text) ? `'${text}` : text).replace(innerStart, "$1'");
  return /[",;|\t\r\n]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused;
};

export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;
