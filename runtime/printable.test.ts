import { expect, test } from 'vitest';
import { printable, printableLines } from './printable.ts';

// Guarantee: no text from a stranger reaches a terminal as a command, or reverses the text around it.
test('characters that a terminal would obey', () => {
  expect(printable('a\u202Eb\u2066c\u200Bd\x1b[2Je\nf\u2028g\u061C')).toBe(
    'a\\u{202e}b\\u{2066}c\\u{200b}d\\x1b[2Je\\nf\\u{2028}g\\u{61c}',
  );
  expect(printableLines('a\nb\u202Ec\r\n')).toBe('a\nb\\u{202e}c\\x0d\n');
  expect(printable('Ação 日本 👍')).toBe('Ação 日本 👍');
});
