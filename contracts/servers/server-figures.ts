import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import type { MetricSpan } from '../operations/metric-history.ts';
import { recordId } from './clusters.ts';

/** How far back the charts of a server go, and how finely; an answer has exactly this many points. */
export const serverSpans = {
  hour: { stepSeconds: 60, steps: 60 },
  day: { stepSeconds: 300, steps: 288 },
  month: { stepSeconds: 7200, steps: 360 },
} as const satisfies Record<MetricSpan, { stepSeconds: number; steps: number }>;
const spanNames = Object.keys(serverSpans) as [MetricSpan, ...MetricSpan[]];

/** For the day in a list of servers: a step is half an hour. */
export const dayOfServers = { stepSeconds: 1800, steps: 48 } as const;

const figure = z.number().nonnegative().nullable();

/** One step of a server's charts; each figure is the mean of the step. Null means unknown: a gap, never a zero. */
const serverPoint = z
  .object({
    /** Start of the step. */
    at: z.iso.datetime(),
    players: figure,
    /** How long the console took for its last answer, in milliseconds; known if the API talks to the console directly. */
    answerMs: figure,
  })
  .meta({ id: 'ServerFigurePoint' });
export type ServerPoint = z.infer<typeof serverPoint>;

const serverSeries = z
  .object({
    stepSeconds: z.int().positive(),
    /** One per step, oldest first; the last one is the current step. */
    points: z.array(serverPoint),
  })
  .meta({ id: 'ServerFigureSeries' });
export type ServerSeries = z.infer<typeof serverSeries>;

export const serverFiguresHttp = {
  read: endpoint({
    method: 'GET',
    path: '/api/servers/:serverId/figures',
    summary: "Return a server's player count and response time over the last hour, day or month",
    access: 'servers.read',
    params: z.object({ serverId: recordId }),
    query: z.object({ span: z.enum(spanNames) }),
    response: serverSeries,
  }),
  day: endpoint({
    method: 'GET',
    path: '/api/figures/servers',
    summary: 'Return the player count of each server that you can see over the last 24 hours',
    access: 'servers.read',
    response: z.object({
      stepSeconds: z.int().positive(),
      /** Servers in use; steps oldest first, the last one is the current step. */
      rows: z.array(z.object({ serverId: z.string(), players: z.array(figure) })),
    }),
  }),
} as const;
