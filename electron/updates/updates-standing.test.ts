import { expect, test } from 'vitest';
import { nextCheck } from './updates-standing.ts';

const startedAt = new Date('2026-11-21T08:00:00Z');
const after = (asked: Partial<Parameters<typeof nextCheck>[0]>) =>
  (nextCheck({ lastCheckedAt: null, startedAt, hasFailedAt: null, random: 0.5, ...asked }).getTime() -
    startedAt.getTime()) /
  1000;

// Guarantee: a server that does not answer is left alone for most of an hour, one that does for most of a day; no installation
// asks in the first seconds of a start, and not all of them at the same time.
test('when updates are looked for', () => {
  expect(after({})).toBe(55);
  expect(after({ lastCheckedAt: new Date('2026-11-21T07:00:00Z') })).toBe(55);
  expect(after({ lastCheckedAt: new Date('2026-11-21T09:00:00Z') })).toBe(24 * 3600);
  expect(after({ hasFailedAt: new Date('2026-11-21T09:00:00Z') })).toBe(2 * 3600);
  for (const random of [0, 0.999]) {
    expect(after({ random })).toBeGreaterThanOrEqual(20);
    const day = after({ random, lastCheckedAt: new Date('2026-11-21T09:00:00Z') });
    expect(day).toBeGreaterThan(22 * 3600);
    expect(day).toBeLessThanOrEqual(25 * 3600);
  }
});
