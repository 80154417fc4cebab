import { expect, test } from 'vitest';
import { countCrash, crashLimits, crashVerdict } from './crash-verdict.ts';

const minute = 60_000;

// Guarantee: the waits double, with a quarter of jitter either way, and stop growing at a minute.
test('back-off', () => {
  const waits = [1, 2, 3, 4].map((count) =>
    crashVerdict(
      Array.from({ length: count }, () => 0),
      0.5,
      crashLimits,
    ),
  );
  expect(waits).toEqual([2000, 4000, 8000, 16_000].map((inMs) => ({ kind: 'start again', inMs })));
  expect(crashVerdict([0], 0, crashLimits)).toEqual({ kind: 'start again', inMs: 1500 });
});

// Guarantee: five crashes within ten minutes are a loop; the same number over a longer time is not.
test('crash loop', () => {
  expect(crashVerdict([0, 1, 2, 3, 10 * minute], 0.5, crashLimits).kind).toBe('crash loop');
  expect(crashVerdict([0, 1, 2, 3, 10 * minute + 1], 0.5, crashLimits).kind).toBe('start again');
});

// Guarantee: after a stable run earlier crashes no longer count; the length of a run counts only if it is known.
test('what counts', () => {
  expect(countCrash([1, 2], 9, 5 * minute, crashLimits)).toEqual([9]);
  expect(countCrash([1, 2], 9, 5 * minute - 1, crashLimits)).toEqual([1, 2, 9]);
  expect(countCrash([1, 2], 9, null, crashLimits)).toEqual([1, 2, 9]);
});
