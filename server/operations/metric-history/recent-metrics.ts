import { type MetricPoint, metricSpans } from '#contracts/operations/metric-history.ts';
import { minuteMs, sampleMs } from './sample-times.ts';
import { combine, pointAt, type StepMetrics, spread, unknownMetrics } from './step.ts';

const hourSteps = metricSpans.hour.steps;
/** The hour, and the minute that is written once it is complete. */
const keptMs = hourSteps * sampleMs + 2 * minuteMs;

/** The last hour, in memory. All times are milliseconds since 1970 and mark the start of a step. */
interface RecentMetrics {
  /** Forgets everything later: the clock was set back. */
  add(atMs: number, known: StepMetrics): void;
  /** Fills in a minute of which only the mean is left; sampled steps take precedence. */
  fill(atMs: number, known: StepMetrics): void;
  /** Null when it has no steps. */
  minute(atMs: number): StepMetrics | null;
  /** One point per step, up to the last completed step. */
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
      // The figures of a step that has just ended may still be on their way.
      const lastMs = steps.has(overMs) ? overMs : overMs - sampleMs;
      return Array.from({ length: hourSteps }, (_, index) => {
        const atMs = lastMs - (hourSteps - 1 - index) * sampleMs;
        return pointAt(atMs, steps.get(atMs) ?? unknownMetrics);
      });
    },
  };
};
