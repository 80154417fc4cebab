import type { MetricPoint } from '#contracts/operations/metric-history.ts';

/** What is known about a step, without its time. */
export type StepMetrics = Omit<MetricPoint, 'at'>;

export const unknownMetrics: StepMetrics = {
  players: null,
  databaseMs: null,
  queueDepth: null,
  events: null,
};

/** @param atMs the step's start, in milliseconds since 1970 */
export const pointAt = (atMs: number, known: StepMetrics): MetricPoint => ({
  at: new Date(atMs).toISOString(),
  players: rounded(known.players),
  databaseMs: rounded(known.databaseMs),
  queueDepth: rounded(known.queueDepth),
  events: known.events,
});

/** Combines the figures of shorter steps: means of what is known, and the sum of the events. */
export const combine = (parts: readonly StepMetrics[]): StepMetrics => ({
  players: mean(parts.map(({ players }) => players)),
  databaseMs: mean(parts.map(({ databaseMs }) => databaseMs)),
  queueDepth: mean(parts.map(({ queueDepth }) => queueDepth)),
  events: sumOfKnown(parts.map(({ events }) => events)),
});

/** Splits a longer step as if it had been even; events stay whole numbers and keep their total. */
export const spread = (whole: StepMetrics, parts: number): readonly StepMetrics[] =>
  Array.from({ length: parts }, (_, index) => ({
    ...whole,
    events:
      whole.events === null
        ? null
        : Math.floor(((index + 1) * whole.events) / parts) - Math.floor((index * whole.events) / parts),
  }));

/** Null when none is known. */
export const sumOfKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};

const mean = (values: readonly (number | null)[]): number | null => {
  const sum = sumOfKnown(values);
  return sum === null ? null : sum / values.filter((value) => value !== null).length;
};

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100;
