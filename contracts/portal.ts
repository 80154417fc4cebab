import * as z from 'zod';
import { endpoint } from './http.ts';

export const portalHealth = z.object({
  /** `degraded`: the process lives, but without its database it can answer no license request. */
  status: z.enum(['ok', 'degraded']),
  database: z.object({
    status: z.enum(['ok', 'away']),
    /** Of one round trip, in milliseconds; null while the database is away. */
    latencyMs: z.number().nullable(),
  }),
});

export const portalHttp = {
  health: endpoint({
    method: 'GET',
    path: '/health',
    summary: 'Whether the portal lives, and what it says of its database',
    access: 'public',
    response: portalHealth,
    problems: [],
  }),
  ready: endpoint({
    method: 'GET',
    path: '/ready',
    summary: 'Whether the portal can answer license requests now; 503 while it cannot',
    access: 'public',
    response: z.object({ status: z.literal('ready') }),
    problems: ['DATABASE_UNAVAILABLE'],
  }),
} as const;
