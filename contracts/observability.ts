import * as z from 'zod';
import { endpoint } from './http.ts';

export const observabilityHttp = {
  openApi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This API as an OpenAPI 3.1 document',
    access: 'stack.read',
    loopback: true,
    response: z.looseObject({}),
    problems: ['UNAUTHENTICATED'],
  }),
  metrics: endpoint({
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics for Prometheus',
    access: 'metrics.read',
    loopback: true,
    response: z.string(),
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    problems: ['UNAUTHENTICATED'],
  }),
} as const;
