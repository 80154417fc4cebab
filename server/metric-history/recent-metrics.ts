import { type MetricPoint, metricSpans } from '#contracts/metric-history.ts';
import { minuteMs, sampleMs } from './sample-times.ts';
import { combine, pointAt, type StepMetrics, spread, unknownMetrics } from './step.ts';

const hourSteps = metricSpans.hour.steps;
/** The hour, and the minute that is written when it is over. */
const keptMs = hourSteps * sampleMs + 2 * minuteMs;

/** The last hour, in memory. All times are milliseconds since 1970 and begin a step. */
export interface RecentMetrics {
  /** What lies later is forgotten: the clock was set back. */
  add(atMs: number, known: StepMetrics): void;
  /** A minute of which the mean is left; what was sampled counts more. */
  fill(atMs: number, known: StepMetrics): void;
  /** Null when there is nothing in it. */
  minute(atMs: number): StepMetrics | null;
  /** One point a step, up to the last step that is over. */
  hour(nowMs: number): MetricPoint[];
}

export const createRecentMetrics = (): RecentMetrics => {
  const steps = new Map<number, StepMetrics>();
  return {
    add(atMs, known) {
      const same = steps.get(atMs);
      steps.set(atMs, same ? combine([same, known]) : known);
      for (const each of steps.keys()) if (each > atMs || each <= atMs - keptMs) steps.delete(each);
    },
    fill(atMs, known) {
      for (const [index, part] of spread(known, minuteMs / sampleMs).entries()) {
        const partMs = atMs + index * sampleMs;
        if (!steps.has(partMs)) steps.set(partMs, part);
      }
    },
    minute(atMs) {
      const parts = [...steps].filter(([each]) => each >= atMs && each < atMs + minuteMs);
      return parts.length === 0 ? null : combine(parts.map(([, known]) => known));
    },
    hour(nowMs) {
      const overMs = Math.floor(nowMs / sampleMs) * sampleMs - sampleMs;
      // A step that has just ended may be under way to us.
      const lastMs = steps.has(overMs) ? overMs : overMs - sampleMs;
      return Array.from({ length: hourSteps }, (_, index) => {
        const atMs = lastMs - (hourSteps - 1 - index) * sampleMs;
        return pointAt(atMs, steps.get(atMs) ?? unknownMetrics);
      });
    },
  };
};
