import { expect, test } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const nowMs = Date.UTC(2026, 0, 1);

// Guarantee: whatever a Retry-After contains, no one waits for an invalid time or for a negative one.
test.each([
  [null, null],
  [undefined, null],
  ['0', 0],
  ['42', 42_000],
  [' 42 ', 42_000],
  ['1.5', 1500],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['9'.repeat(400), Number.POSITIVE_INFINITY],
  ['-99999', null],
  ['-5', null],
  ['2026-01-02', null],
  ['soon', null],
  ['NaN', null],
  ['Infinity', null],
  ['', null],
])('%s', (header, expected) => {
  expect(readRetryAfter(header, nowMs)).toBe(expected);
});

// Guarantee: a date is compared with the clock that wrote it; this machine's counts only if the answer has none.
test.each([
  ['Wed, 01 Jan 2020 00:00:00 GMT', 30_000],
  ['', 0],
  ['never', 0],
])('sent at “%s”', (sent, expected) => {
  expect(readRetryAfter('Wed, 01 Jan 2020 00:00:30 GMT', nowMs, sent)).toBe(expected);
});
