import { expect, test } from 'vitest';
import type { MetricPoint, MetricSeries } from '#contracts/operations/metric-history.ts';
import { seriesOf, withPoint } from './metric-points.ts';

const startMs = Date.parse('2026-05-04T12:00:00.000Z');
const point = (step: number, players: number | null = step): MetricPoint => ({
  at: new Date(startMs + step * 10_000).toISOString(),
  players,
  databaseMs: 1,
  queueDepth: 0,
  events: 0,
});
const hour: MetricSeries = { stepSeconds: 10, points: [point(0), point(1), point(2), point(3)] };
const playersOf = (figures: MetricSeries) => seriesOf(figures, 'players').values;

// Guarantee: a chart that is updated live keeps its length, and the newest step is at its end.
test('the next point', () => {
  expect(playersOf(withPoint(hour, point(4)))).toEqual([1, 2, 3, 4]);
});

// Guarantee: a time without updates is a gap of its true length, never a straight line.
test('a point after a pause', () => {
  const after = withPoint(hour, point(6));
  expect(playersOf(after)).toEqual([3, null, null, 6]);
  expect(after.points.map(({ at }) => at)).toEqual([point(3).at, point(4).at, point(5).at, point(6).at]);
  expect(playersOf(withPoint(hour, point(5000)))).toEqual([null, null, null, 5000]);
});

// Guarantee: a point that arrives twice, or late, appears once.
test('a point that is known already', () => {
  expect(playersOf(withPoint(hour, point(3, 9)))).toEqual([0, 1, 2, 9]);
  expect(playersOf(withPoint(hour, point(-5)))).toEqual([0, 1, 2, 3]);
  expect(playersOf(withPoint({ stepSeconds: 10, points: [] }, point(0)))).toEqual([0]);
});
