import { expect, test } from 'vitest';
import { table } from './terminal.ts';

// Guarantee: an answer of any length has columns of equal width.
test('a very long table', () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => [String(index), 'x']);
  const lines = table(['n', 'letter'], rows).split('\n');
  expect(lines).toHaveLength(200_002);
  expect(lines.slice(0, 3)).toEqual(['n       letter', '------  ------', '0       x']);
  expect(lines.at(-1)).toBe('199999  x');
});
