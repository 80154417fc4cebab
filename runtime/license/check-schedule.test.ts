import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextCheckMs } from './check-schedule.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const issuedMs = Date.UTC(2026, 0, 10);
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

// Guarantee: while valid, the next check falls 5 to 60 minutes before the day is over.
test('daily', () => {
  fc.assert(
    fc.property(random, (r) => {
      const atMs = nextCheckMs({ state: 'valid', issuedMs, nowMs: issuedMs, retryAfterMs: 0, random: r });
      const earlyMs = issuedMs + dayMs - atMs;
      expect(earlyMs).toBeGreaterThanOrEqual(5 * minuteMs);
      expect(earlyMs).toBeLessThanOrEqual(60 * minuteMs);
    }),
  );
});

// Guarantee: in grace and rejection, checks repeat every 15 minutes, give or take a fifth; never sooner.
test('retries', () => {
  fc.assert(
    fc.property(random, fc.constantFrom('grace' as const, 'rejected' as const), (r, state) => {
      const pauseMs =
        nextCheckMs({ state, issuedMs, nowMs: issuedMs, retryAfterMs: 0, random: r }) - issuedMs;
      expect(pauseMs).toBeGreaterThanOrEqual(12 * minuteMs);
      expect(pauseMs).toBeLessThanOrEqual(18 * minuteMs);
    }),
  );
});

// Guarantee: Retry-After is honoured, but can never put a check off for more than an hour.
test('Retry-After', () => {
  const after = (retryAfterMs: number) =>
    nextCheckMs({ state: 'grace', issuedMs, nowMs: 0, retryAfterMs, random: 0 });
  expect(after(1000)).toBe(12 * minuteMs);
  expect(after(40 * minuteMs)).toBe(40 * minuteMs);
  expect(after(9 * dayMs)).toBe(60 * minuteMs);
});

// Guarantee: a token that is older than its day is checked again soon, not in the past.
test('overdue', () => {
  const nowMs = issuedMs + 2 * dayMs;
  expect(nextCheckMs({ state: 'valid', issuedMs, nowMs, retryAfterMs: 0, random: 0 })).toBe(
    nowMs + 12 * minuteMs,
  );
});
