import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryDelayMs } from './retry-delay.ts';

// Guarantee: delays double from a second up to a minute, with a quarter of jitter either way.
test('the delays', () => {
  const at = (failures: number) => retryDelayMs({ failures, outcome: 'connection refused', random: 0.5 });
  expect([1, 2, 3, 4, 5, 6, 7, 8, 500].map(at)).toEqual([
    1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000,
  ]);
  expect(retryDelayMs({ failures: 1, outcome: 'timeout', random: 0 })).toBe(750);
  expect(retryDelayMs({ failures: 3, outcome: 'timeout', random: 1 })).toBe(5000);
});

// Guarantee: never sooner than a minute after a refused password, never later than a minute after anything else.
test('the limits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
      expect(retryDelayMs({ failures, random, outcome: 'authentication failed' })).toBeGreaterThanOrEqual(
        60_000,
      );
      const delayMs = retryDelayMs({ failures, random, outcome: 'not ready' });
      expect(delayMs).toBeGreaterThanOrEqual(750);
      expect(delayMs).toBeLessThanOrEqual(60_000);
    }),
  );
});
