import { expect, it } from 'vitest';
import { auditHttp } from '#contracts/kernel/audit.ts';
import { textIn } from './text-in.ts';

// Guarantee: anything in an address becomes a text that the API accepts, or none.
it.each([
  [undefined, undefined],
  ['', undefined],
  [' \u0000\t ', undefined],
  [' a\u0000b ', 'ab'],
  ['\ud800x', 'x'],
  ['😀'.repeat(3), '😀😀'],
  ['x'.repeat(999), 'xxxxx'],
])('%j', (text, wanted) => {
  const read = textIn(text, 5);
  expect(read).toBe(wanted);
  expect(auditHttp.list.query.safeParse({ ...(read && { text: read }) }).success).toBe(true);
});
