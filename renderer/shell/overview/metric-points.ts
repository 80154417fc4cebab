import type { MetricPoint, MetricSeries } from '#contracts/operations/metric-history.ts';
import type { TimeSeries } from '../../kit/charts/time-series.ts';

export const metricNames = ['players', 'databaseMs', 'queueDepth', 'events'] as const;
export type MetricName = (typeof metricNames)[number];

const unknownAt = (ms: number): MetricPoint => ({
  at: new Date(ms).toISOString(),
  players: null,
  databaseMs: null,
  queueDepth: null,
  events: null,
});

/** The figures with one more point, and the same length; steps without data are gaps. */
export const withPoint = ({ stepSeconds, points }: MetricSeries, point: MetricPoint): MetricSeries => {
  const stepMs = stepSeconds * 1000;
  const lastMs = Date.parse(points.at(-1)?.at ?? point.at);
  const atMs = Date.parse(point.at);
  if (points.length > 0 && atMs <= lastMs)
    return { stepSeconds, points: points.map((known) => (known.at === point.at ? point : known)) };
  const missing = Math.min(points.length, Math.max(0, Math.round((atMs - lastMs) / stepMs) - 1));
  const gap = Array.from({ length: missing }, (_, index) => unknownAt(atMs - (missing - index) * stepMs));
  return { stepSeconds, points: [...points, ...gap, point].slice(-Math.max(1, points.length)) };
};

/** One of the figures, as a chart draws it. */
export const seriesOf = ({ points }: MetricSeries, name: MetricName): TimeSeries => ({
  times: points.map(({ at }) => Date.parse(at) / 1000),
  values: points.map((point) => point[name]),
});
