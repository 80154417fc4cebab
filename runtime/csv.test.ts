import { expect, test } from 'vitest';
import { csvCell, csvLine } from './csv.ts';

// Guarantee: no cell is run by a spreadsheet as a formula, whatever somebody has called himself.
test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('%j is defused', (text) => {
  expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
});

// Guarantee: RFC 4180: what holds a separator, a quote or a line break is quoted, quotes are doubled, lines end in CRLF.
test('cells that need it are quoted', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', ''])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",\r\n',
  );
});
