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
    summary:
      'Whether this process is to be given requests now; 503 while it cannot answer them, and once it is stopping',
    access: 'public',
    response: z.object({ status: z.literal('ready') }),
    problems: ['DATABASE_UNAVAILABLE', 'SHUTTING_DOWN'],
  }),
  openApi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This interface as an OpenAPI 3.1 document',
    access: 'public',
    response: z.looseObject({}),
    problems: [],
  }),
  metrics: endpoint({
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics for Prometheus; PORTAL_METRICS_TOKEN is the bearer token that may read them',
    access: 'metrics.read',
    loopback: true,
    response: z.string(),
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    problems: ['UNAUTHENTICATED'],
  }),
} as const;
