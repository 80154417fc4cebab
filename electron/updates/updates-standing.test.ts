import { expect, test } from 'vitest';
import { nextCheck } from './updates-standing.ts';

const startedAt = new Date('2026-11-21T08:00:00Z');
const now = new Date('2026-11-21T12:00:00Z');
const after = (asked: Partial<Parameters<typeof nextCheck>[0]>) =>
  (nextCheck({ lastCheckedAt: null, startedAt, hasFailedAt: null, random: 0.5, now, ...asked }).getTime() -
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

// Guarantee: however the clock jumps and is put right, updates are looked for within a day, and then no more than once a day:
// looked at each minute, from a start with the clock right or wrong, over three days.
test.each([
  ['right', 0],
  ['an hour ahead', 3_600_000],
  ['a day ahead', 86_400_000],
  ['70 years ahead', 70 * 365 * 86_400_000],
  ['a year behind', -365 * 86_400_000],
])('a clock that is %s', (_name, jumpMs) => {
  for (const [atStart, later] of [
    [0, jumpMs],
    [jumpMs, 0],
  ] as const)
    for (const hasRecord of [false, true]) {
      let realMs = startedAt.getTime();
      let offMs: number = atStart;
      const started = new Date(realMs + offMs);
      let lastCheckedAt = hasRecord ? new Date(realMs + offMs - 3_600_000) : null;
      const checks: number[] = [];
      for (let minute = 0; minute < 3 * 24 * 60; minute += 1) {
        if (minute === 90) offMs = later;
        const at = new Date(realMs + offMs);
        const due = nextCheck({
          lastCheckedAt,
          startedAt: started,
          hasFailedAt: null,
          random: 0.5,
          now: at,
        });
        if (due <= at) {
          checks.push(realMs);
          lastCheckedAt = at;
        }
        realMs += 60_000;
      }
      expect(checks.length).toBeGreaterThanOrEqual(2);
      expect(checks.length).toBeLessThanOrEqual(5);
      const gaps = checks.slice(1).map((ms, index) => ms - (checks[index] ?? 0));
      expect(Math.max(...gaps)).toBeLessThanOrEqual(26 * 3_600_000);
    }
});
