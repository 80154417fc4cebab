import { expect, test } from 'vitest';
import { csvCell as csvCellOfApi } from '#runtime/csv.ts';
import { csvCell, csvOf } from './export-menu.tsx';

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

// Guarantee: the exports of the panel and of the API protect each cell in the same way.
test.each(cells)('guards %j as the API does', (cell) => expect(csvCell(cell)).toBe(csvCellOfApi(cell)));

// Guarantee: a header line, one line per row, CRLF, a byte order mark, and only columns that have a text.
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
