import { expect, test } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const nowMs = Date.UTC(2026, 0, 1);

// Guarantee: whatever a Retry-After contains, no one waits longer than an hour, or for an invalid time.
test.each([
  [null, null],
  ['0', 0],
  ['42', 42_000],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['3601', 3_600_000],
  ['Fri, 01 Jan 2100 00:00:00 GMT', 3_600_000],
  ['9'.repeat(400), 3_600_000],
  ['-99999', null],
  ['soon', null],
  ['NaN', null],
  ['Infinity', null],
  ['', null],
])('%s', (header, expected) => {
  expect(readRetryAfter(header, nowMs)).toBe(expected);
});
