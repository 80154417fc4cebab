import { expect, test } from 'vitest';
import { nextSampleAt, stepEndingAt } from './sample-times.ts';

const noon = Date.parse('2026-05-04T12:00:00Z');

// Guarantee: timers that fire seconds early or late skip no step and take none twice.
test('steps follow one another', () => {
  const lateness = [0, -1, 3, 4000, -4000, 4999, 0, -2, 15];
  let nowMs = noon;
  const steps = lateness.map((lateMs) => {
    nowMs = nextSampleAt(nowMs) + lateMs;
    return (stepEndingAt(nowMs) - noon) / 10_000;
  });
  expect(steps).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});
