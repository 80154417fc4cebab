import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backOffDelay } from './back-off.ts';

const backOff = { firstMs: 1000, mostMs: 60_000, jitter: 0.25 };

// Guarantee: waits double up to their limit, however many tries have failed.
test('the waits double', () => {
  expect([1, 2, 3, 6, 7, 8, 10_000].map((failures) => backOffDelay(backOff, failures))).toEqual([
    1000, 2000, 4000, 32_000, 60_000, 60_000, 60_000,
  ]);
  expect([0, 1].map((random) => backOffDelay(backOff, 2, random))).toEqual([1500, 2500]);
});

// Guarantee: no jitter makes a wait longer than the limit, or shorter than its share of the first wait.
test('the limits hold', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
      const delayMs = backOffDelay(backOff, failures, random);
      expect(delayMs).toBeGreaterThanOrEqual(750);
      expect(delayMs).toBeLessThanOrEqual(60_000);
    }),
  );
});
