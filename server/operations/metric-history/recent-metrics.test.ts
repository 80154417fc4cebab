import { expect, test } from 'vitest';
import { createRecentMetrics } from './recent-metrics.ts';
import { combine, type StepMetrics, unknownMetrics } from './step.ts';

const noon = Date.parse('2026-05-04T12:00:00Z');
const hourMs = 3_600_000;
const figures = (players: number | null, events: number | null): StepMetrics => ({
  players,
  databaseMs: 1,
  queueDepth: 0,
  events,
});
const at = (ms: number) => new Date(ms).toISOString();

// Guarantee: a mean covers what is known, events are added up, and unknown stays unknown: it never becomes zero.
test('steps combine', () => {
  expect(combine([figures(2, 1), figures(null, null), figures(5, 0)])).toEqual({
    players: 3.5,
    databaseMs: 1,
    queueDepth: 0,
    events: 1,
  });
  expect(combine([unknownMetrics, unknownMetrics])).toEqual(unknownMetrics);
});

// Guarantee: the hour has one point per step, oldest first, and what was not sampled is null.
test('an hour with gaps', () => {
  const recent = createRecentMetrics();
  recent.add(noon, figures(3, 1));
  recent.add(noon + 30_000, figures(4, 2));
  const points = recent.hour(noon + 40_000);
  expect(points).toHaveLength(360);
  expect(points[0]?.at).toBe(at(noon + 40_000 - hourMs));
  expect(points.slice(-4)).toEqual([
    { at: at(noon), ...figures(3, 1) },
    { at: at(noon + 10_000), ...unknownMetrics },
    { at: at(noon + 20_000), ...unknownMetrics },
    { at: at(noon + 30_000), ...figures(4, 2) },
  ]);
  expect(points.slice(0, -4).every(({ players }) => players === null)).toBe(true);
});

// Guarantee: a step whose figures are being taken right now is no gap; a stalled sampler is one.
test('the end of the hour', () => {
  const recent = createRecentMetrics();
  recent.add(noon, figures(3, 1));
  expect(recent.hour(noon + 10_001).at(-1)).toMatchObject({ at: at(noon), players: 3 });
  expect(recent.hour(noon + 20_001).at(-1)).toMatchObject({ at: at(noon), players: 3 });
  expect(recent.hour(noon + 30_001).at(-1)).toMatchObject({ at: at(noon + 10_000), players: null });
});

// Guarantee: however long it runs, memory holds an hour and little more.
test('memory is bounded', () => {
  const recent = createRecentMetrics();
  for (let step = 0; step < 2000; step += 1) recent.add(noon + step * 10_000, figures(step, 0));
  const last = noon + 2000 * 10_000;
  expect(recent.hour(last)[0]).toMatchObject({ at: at(last - hourMs), players: 1640 });
  expect(recent.minute(noon + 1620 * 10_000)).toBeNull();
});

// Guarantee: a stored minute fills its steps with its means and keeps its number of events; sampled steps stay.
test('minutes fill the hour', () => {
  const recent = createRecentMetrics();
  recent.add(noon, figures(9, 0));
  recent.fill(noon, figures(1.5, 8));
  recent.fill(noon - 60_000, figures(2.5, 8));
  const points = recent.hour(noon + 60_000).slice(-12);
  expect(points.map(({ players }) => players)).toEqual([...Array(6).fill(2.5), 9, ...Array(5).fill(1.5)]);
  const events = points.map((point) => point.events ?? 0);
  expect(events.every(Number.isInteger)).toBe(true);
  expect(events.slice(0, 6).reduce((sum, count) => sum + count)).toBe(8);
});

// Guarantee: a clock that is set back leaves no steps in the future, and a step that comes twice loses no events.
test('a clock that is set back', () => {
  const recent = createRecentMetrics();
  for (let step = 0; step < 12; step += 1) recent.add(noon + step * 10_000, figures(1, 1));
  recent.add(noon + 20_000, figures(3, 5));
  expect(recent.minute(noon)).toMatchObject({ events: 8 });
  expect(recent.minute(noon + 60_000)).toBeNull();
  const points = recent.hour(noon + 30_000);
  expect(points.slice(-2)).toMatchObject([
    { players: 1, events: 1 },
    { players: 2, events: 6 },
  ]);
});
