import { expect, test } from 'vitest';
import { retryDelayMs } from './bring-up.ts';
import { createLatencyWindow } from './latency-window.ts';

// Guarantee: percentiles are actual samples, by nearest rank, and old ones do not count.
test('percentiles of the window', () => {
  const window = createLatencyWindow(1000, 100);
  expect(window.percentiles(0)).toEqual({ p50Ms: null, p95Ms: null, p99Ms: null });
  for (let latency = 1; latency <= 100; latency += 1) window.add(latency, latency);
  expect(window.percentiles(100)).toEqual({ p50Ms: 50, p95Ms: 95, p99Ms: 99 });
  window.add(1090, 500);
  expect(window.percentiles(1090)).toEqual({ p50Ms: 95, p95Ms: 500, p99Ms: 500 });
  expect(window.percentiles(5000)).toEqual({ p50Ms: null, p95Ms: null, p99Ms: null });
});

// Guarantee: for a shorter time, only its samples count.
test('a part of the window', () => {
  const window = createLatencyWindow(1000, 100);
  window.add(0, 8);
  window.add(500, 4);
  expect(window.percentiles(600, 100)).toMatchObject({ p50Ms: 4, p95Ms: 4 });
  expect(window.percentiles(601, 100)).toMatchObject({ p50Ms: null });
  expect(window.percentiles(601)).toMatchObject({ p95Ms: 8 });
});

// Guarantee: a flood of samples does not grow the window without bound.
test('the window is bounded', () => {
  const window = createLatencyWindow(1000, 3);
  for (let latency = 1; latency <= 10; latency += 1) window.add(0, latency);
  expect(window.percentiles(0)).toMatchObject({ p50Ms: 9 });
});

// Guarantee: an unavailable database is retried soon and forever; a failed migration is not hammered.
test('retry delays', () => {
  expect([0, 1, 2, 10, 5000].map((attempt) => retryDelayMs(attempt, true))).toEqual([
    100, 200, 400, 2000, 2000,
  ]);
  expect(retryDelayMs(0, false)).toBe(60_000);
});
