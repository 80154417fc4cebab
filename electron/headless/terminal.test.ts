import { expect, test } from 'vitest';
import { printable, table } from './terminal.ts';

// Guarantee: nothing that a stranger wrote reaches a terminal as a command, or turns the text around it.
test('characters that a terminal would obey', () => {
  expect(printable('a\u202Eb\u2066c\u200Bd\x1b[2Je\nf\u2028g\u061C')).toBe(
    'a\\u{202e}b\\u{2066}c\\u{200b}d\\x1b[2Je\\nf\\u{2028}g\\u{61c}',
  );
  expect(printable('Ação 日本 👍')).toBe('Ação 日本 👍');
});

// Guarantee: an answer of any length has columns of equal width.
test('a very long table', () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => [String(index), 'x']);
  const lines = table(['n', 'letter'], rows).split('\n');
  expect(lines).toHaveLength(200_002);
  expect(lines.slice(0, 3)).toEqual(['n       letter', '------  ------', '0       x']);
  expect(lines.at(-1)).toBe('199999  x');
});
