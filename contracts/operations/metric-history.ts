import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';

/** How far back charts go, and how finely; an answer has exactly this many points. */
export const metricSpans = {
  hour: { stepSeconds: 10, steps: 360 },
  day: { stepSeconds: 300, steps: 288 },
  month: { stepSeconds: 7200, steps: 360 },
} as const;
export type MetricSpan = keyof typeof metricSpans;
const spanNames = Object.keys(metricSpans) as [MetricSpan, ...MetricSpan[]];

const metric = z.number().nonnegative().nullable();

/** One step of the stack's charts. Null means unknown: a gap, never a zero. */
export const metricPoint = z
  .object({
    /** Start of the step. */
    at: z.iso.datetime(),
    /** Players online on all servers whose players are known; null if no server's are. The mean of the step. */
    players: metric,
    /** Round trip to the database, in milliseconds; the mean of the step. */
    databaseMs: metric,
    /** Jobs that wait, wait for a retry, or run; the mean of the step. */
    queueDepth: metric,
    /** All events recorded in the step. */
    events: z.int().nonnegative().nullable(),
  })
  .meta({ id: 'FigurePoint' });
export type MetricPoint = z.infer<typeof metricPoint>;

const metricSeries = z
  .object({
    stepSeconds: z.int().positive(),
    /** One per step, oldest first; for a day and a month, the last one is the current step. */
    points: z.array(metricPoint),
  })
  .meta({ id: 'Figures' });
export type MetricSeries = z.infer<typeof metricSeries>;

export const metricHistoryHttp = {
  read: endpoint({
    method: 'GET',
    path: '/api/figures',
    summary: 'Return metrics of the stack over the last hour, day or month',
    access: 'stack.read',
    query: z.object({ span: z.enum(spanNames) }),
    response: metricSeries,
  }),
} as const;
