import { expect, test } from 'vitest';
import { csvCell as csvCellOfApi } from '#runtime/csv.ts';
import { csvCell, csvOf } from './csv.ts';

const cells = [
  'plain',
  '',
  'a,b',
  'say "hi"',
  'two\r\nlines',
  '=1+1',
  '+1',
  '-1',
  '@cmd',
  '\tx',
  '\rx',
  '=a,"b"',
  'ünï ✓ العربية',
  "'x",
];

// Guarantee: the panel's exports and the API's guard each cell alike.
test.each(cells)('guards %j as the API does', (cell) => expect(csvCell(cell)).toBe(csvCellOfApi(cell)));

// Guarantee: a header line, one line a row, CRLF, a byte order mark, and only what has a text.
test('a table', () => {
  const columns = [
    { header: 'Name', text: ({ name }: { name: string }) => name },
    { header: 'Actions' },
    { header: 'Copy, too', text: ({ name }: { name: string }) => `=${name}` },
  ];
  expect(csvOf([{ name: 'a' }, { name: 'b,"c"' }], columns)).toBe(
    '\uFEFFName,"Copy, too"\r\na,\'=a\r\n"b,""c""","\'=b,""c"""\r\n',
  );
});
