import * as z from 'zod';
import { endpoint } from './http.ts';

/** How far back charts look, and how finely; an answer has exactly so many points. */
export const figureSpans = {
  hour: { stepSeconds: 10, steps: 360 },
  day: { stepSeconds: 300, steps: 288 },
  month: { stepSeconds: 7200, steps: 360 },
} as const;
export type FigureSpan = keyof typeof figureSpans;
const spanNames = Object.keys(figureSpans) as [FigureSpan, ...FigureSpan[]];

const figure = z.number().nonnegative().nullable();

/** One step of the stack's charts. Null is not known: a gap, and never a zero. */
export const figurePoint = z
  .object({
    /** Start of the step. */
    at: z.iso.datetime(),
    /** Online on all servers whose players are known; null when no server's are. The mean of the step. */
    players: figure,
    /** Round trip to the database, in milliseconds; the mean of the step. */
    databaseMs: figure,
    /** Jobs that wait, wait for their next try, or run; the mean of the step. */
    queueDepth: figure,
    /** Recorded in the step, all together. */
    events: z.int().nonnegative().nullable(),
  })
  .meta({ id: 'FigurePoint' });
export type FigurePoint = z.infer<typeof figurePoint>;

export const figures = z
  .object({
    stepSeconds: z.int().positive(),
    /** One for every step, oldest first; of a day and a month, the last one is the step under way. */
    points: z.array(figurePoint),
  })
  .meta({ id: 'Figures' });
export type Figures = z.infer<typeof figures>;

export const figuresHttp = {
  read: endpoint({
    method: 'GET',
    path: '/api/figures',
    summary: "The stack's figures over the last hour, day or month",
    access: 'stack.read',
    query: z.object({ span: z.enum(spanNames) }),
    response: figures,
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
} as const;
