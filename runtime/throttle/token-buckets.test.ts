import { expect, test } from 'vitest';
import { createTokenBuckets } from './token-buckets.ts';

const start = (capacity: number, refillMs: number) => {
  let nowMs = 1_000_000;
  const buckets = createTokenBuckets({ capacity, refillMs }, () => nowMs);
  return {
    buckets,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
};

// Guarantee: a full budget allows its capacity at the same time, then one try per interval; a refused try takes nothing, and each
// key counts separately.
test('a budget', () => {
  const { buckets, pass } = start(2, 1000);
  expect([1, 2, 3, 4].map(() => buckets.tryTake('a'))).toEqual([0, 0, 1000, 1000]);
  expect(buckets.tryTake('b')).toBe(0);
  pass(500);
  expect(buckets.tryTake('a')).toBe(500);
  pass(500);
  expect([1, 2].map(() => buckets.tryTake('a'))).toEqual([0, 1000]);
  buckets.giveBack('a');
  expect(buckets.tryTake('a')).toBe(0);
});

// Guarantee: a budget of one allows one try per interval, and a clock that is set back does not make the wait longer.
test('once in a while', () => {
  const { buckets, pass } = start(1, 60_000);
  expect(buckets.tryTake('a')).toBe(0);
  pass(59_999);
  expect(buckets.tryTake('a')).toBeGreaterThan(0);
  pass(1);
  expect(buckets.tryTake('a')).toBe(0);
  pass(-3_600_000);
  expect(buckets.waitMs('a')).toBe(60_000);
  pass(60_000);
  expect(buckets.tryTake('a')).toBe(0);
  // Locked while it was years ahead.
  pass(70 * 365 * 86_400_000);
  expect(buckets.tryTake('a')).toBe(0);
  expect(buckets.tryTake('a')).toBeGreaterThan(0);
  pass(-70 * 365 * 86_400_000);
  expect(buckets.tryTake('a')).toBe(60_000);
  pass(60_000);
  expect(buckets.tryTake('a')).toBe(0);
});
