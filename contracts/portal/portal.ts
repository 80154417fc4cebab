import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';

export const portalHealth = z.object({
  /** `degraded`: the process runs, but cannot answer license requests without its database. */
  status: z.enum(['ok', 'degraded']),
  database: z.object({
    status: z.enum(['ok', 'away']),
    /** One round trip, in milliseconds; null while the database is unreachable. */
    latencyMs: z.number().nullable(),
    /** In words, that a newer version of the portal has been here; null otherwise. */
    detail: z.string().nullable(),
  }),
});

export const portalHttp = {
  health: endpoint({
    method: 'GET',
    path: '/health',
    summary: 'Return the health of the portal and its database',
    access: 'public',
    response: portalHealth,
    problems: [],
  }),
  ready: endpoint({
    method: 'GET',
    path: '/ready',
    summary:
      'Return whether this process is ready for requests; 503 while it cannot answer them and during shutdown',
    access: 'public',
    response: z.object({ status: z.literal('ready') }),
    problems: ['DATABASE_UNAVAILABLE', 'SHUTTING_DOWN'],
  }),
  openApi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'Return the OpenAPI 3.1 document of this API',
    access: 'public',
    response: z.looseObject({}),
    problems: [],
  }),
  metrics: endpoint({
    method: 'GET',
    path: '/metrics',
    summary: 'Return metrics for Prometheus; the bearer token is PORTAL_METRICS_TOKEN',
    access: 'metrics.read',
    loopback: true,
    response: z.string(),
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    problems: ['UNAUTHENTICATED'],
  }),
} as const;
