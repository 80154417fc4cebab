/** A cell that begins like this is a formula to a spreadsheet. */
const formulaStart = /^[=+\-@\t\r]/;

/** One cell by RFC 4180; what a spreadsheet would run is made a text by a leading apostrophe. */
export const csvCell = (text: string): string => {
  const defused = formulaStart.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused;
};

export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;
