import { expect, test } from 'vitest';
import { lonelyPoints, placeByKey, summarize } from './time-series.ts';

// Guarantee: an unknown value counts neither as the lowest nor as the current one, and without known values there is no summary.
test('the summary of a chart', () => {
  expect(summarize([null, 3, 1, 7])).toEqual({ now: 7, lowest: 1, highest: 7, hasGaps: true });
  expect(summarize([0, 2])).toEqual({ now: 2, lowest: 0, highest: 2, hasGaps: false });
  expect(summarize([4, null])).toMatchObject({ now: null, lowest: 4, highest: 4 });
  expect(summarize([null, null])).toBeNull();
  expect(summarize([])).toBeNull();
});

// Guarantee: a value between two gaps is visible, and only such a value gets a dot.
test('lonely points', () => {
  expect(lonelyPoints([1, null, 2, null, 3, 4, null, 5])).toEqual([0, 2, 7]);
  expect(lonelyPoints([null, undefined])).toEqual([]);
});

// Guarantee: keys never move beyond the chart; the first key starts at the newest point.
test('the cursor by keys', () => {
  expect(placeByKey('ArrowLeft', null, 10)).toBe(8);
  expect(placeByKey('ArrowLeft', 0, 10)).toBe(0);
  expect(placeByKey('ArrowRight', 9, 10)).toBe(9);
  expect(placeByKey('Home', 5, 10)).toBe(0);
  expect(placeByKey('End', 5, 10)).toBe(9);
  expect(placeByKey('PageDown', 50, 100)).toBe(40);
  expect(placeByKey('a', 5, 10)).toBeNull();
  expect(placeByKey('Home', null, 0)).toBeNull();
});
