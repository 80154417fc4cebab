import { expect, test } from 'vitest';
import { aheadToleranceMs, isAhead } from './is-ahead.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');

// Guarantee: what has just been stored, here or by a machine whose clock is minutes ahead, is not ahead; an hour is, and 70 years.
test.each([
  [-3_600_000, false],
  [0, false],
  [aheadToleranceMs, false],
  [aheadToleranceMs + 1, true],
  [3_600_000, true],
  [70 * 365 * 86_400_000, true],
  [Number.NaN, false],
])('stored %i ms after now: %s', (byMs, expected) => {
  expect(isAhead(nowMs + byMs, nowMs)).toBe(expected);
});
