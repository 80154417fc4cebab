import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';

/** Extensions of an operation in the OpenAPI document: who may call it, as the endpoint's `access` and `proof`. */
export const openApiExtensions = { access: 'x-castellan-access', proof: 'x-castellan-proof' } as const;

export const observabilityHttp = {
  openApi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'Return the OpenAPI 3.1 document of this API',
    access: 'stack.read',
    loopback: true,
    response: z.looseObject({}),
    problems: ['UNAUTHENTICATED'],
  }),
  metrics: endpoint({
    method: 'GET',
    path: '/metrics',
    summary: 'Return metrics for Prometheus',
    access: 'metrics.read',
    loopback: true,
    response: z.string(),
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    problems: ['UNAUTHENTICATED'],
  }),
} as const;
