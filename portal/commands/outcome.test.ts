import { expect, test } from 'vitest';
import { formatFields } from './outcome.ts';

// Guarantee: a value written by strangers, such as an order id, stays on its line and cannot control a terminal.
test('characters that a terminal would obey', () => {
  expect(formatFields({ Order: 'a\u{202e}b\n  State  paid\x1b[2J', Id: '1' })).toBe(
    '  Order  a\\u{202e}b\\n  State  paid\\x1b[2J\n  Id     1\n',
  );
});
