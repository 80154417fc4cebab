import { expect, test } from 'vitest';
import { csvCell, csvLine } from './csv.ts';

// Guarantee: no spreadsheet runs a cell as a formula, whatever name a player has chosen.
test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('%j is defused', (text) => {
  expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
});

// Guarantee: as RFC 4180 demands, a cell with a separator, a quote or a line break is quoted, quotes are doubled, lines end in CRLF.
test('cells that need it are quoted', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', ''])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",\r\n',
  );
});

/** Reads a line like a spreadsheet that expects another separator than the one it was written with. */
const readWith = (separator: string, line: string): string[] => {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (const [index, character] of [...line].entries()) {
    if (character === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted || line[index + 1] === '"';
    else if (!isQuoted && (character === separator || character === '\n' || character === '\r')) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return [...cells, cell];
};

// Guarantee: whichever separator a spreadsheet uses, no cell that it sees begins like a formula, and a cell with any of the usual
// separators is quoted.
test.each([
  ...['a;=1+1', 'a;  @SUM(A1)', 'a\t-1', 'a|+1', 'a\n=1', 'a;"=1"', ';=1', 'x;y;=1', ' =1', "a;'=1", '＝1'],
  ...['a,b;=cmd|x', '"a";=1', 'a;\t=1'],
])('%j in a reader with another separator', (text) => {
  for (const before of ['', 'plain']) {
    const line = csvLine([before, text, 'end']);
    for (const separator of [',', ';', '\t', '|'])
      for (const cell of readWith(separator, line))
        expect(cell.trimStart(), line).not.toMatch(/^"*[=+\-@＝]/);
  }
  expect(csvCell('a;b')).toBe('"a;b"');
  expect(csvCell('a\tb')).toBe('"a\tb"');
});
