import { expect, test } from 'vitest';
import { clockBehindSeconds, timeLeft } from './license-clock.ts';

const now = '2026-05-04T12:00:00.000Z';

// Guarantee: a clock that was set back is reported; a clock that is ahead of an old answer is no fault.
test('the two clocks', () => {
  expect(clockBehindSeconds({ local: now, known: '2026-05-04T12:15:00.000Z' })).toBe(900);
  expect(clockBehindSeconds({ local: now, known: '2026-05-04T12:00:30.000Z' })).toBeNull();
  expect(clockBehindSeconds({ local: now, known: '2026-05-01T12:00:00.000Z' })).toBeNull();
  expect(clockBehindSeconds({ local: now, known: null })).toBeNull();
});

// Guarantee: the last day of grace is counted to the second, and its end is not a negative time.
test('what is left of the days of grace', () => {
  const left = (until: string) => timeLeft(until, Date.parse(now), (seconds) => `${seconds} s`);
  expect(left('2026-05-06T12:00:00.000Z')).toEqual({ text: '172800 s', isLastDay: false });
  expect(left('2026-05-05T12:00:00.000Z')).toEqual({ text: '24:00:00', isLastDay: true });
  expect(left('2026-05-04T13:02:03.000Z')).toEqual({ text: '01:02:03', isLastDay: true });
  expect(left('2026-05-04T12:00:00.400Z')).toEqual({ text: '00:00:01', isLastDay: true });
  expect(left('2026-05-04T12:00:00.000Z')).toBeNull();
});
