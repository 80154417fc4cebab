import { expect, test } from 'vitest';
import { healthReport } from '#contracts/kernel/testing/health-report.ts';
import type { ComponentHealth, StackHealth } from '#contracts/operations/health.ts';
import { readHealthAnswer } from './api-health.ts';

const json = 'application/json; charset=utf-8';
const problem = 'application/problem+json; charset=utf-8';

const health = (status: StackHealth['status'], database: ComponentHealth) =>
  JSON.stringify(healthReport({ status, components: { database } }));

const refusal = (code: string, license?: object) =>
  JSON.stringify({ type: 'about:blank', title: 'Refused', status: 403, detail: 'in words', code, license });

// Guarantee: an API that answers is alive; what it says about itself and about the license is passed on.
test.each([
  [
    200,
    json,
    health('ok', { status: 'ok', detail: null }),
    { condition: 'ok', license: 'valid', detail: null },
  ],
  [
    200,
    json,
    health('degraded', { status: 'degraded', detail: 'slow' }),
    { condition: 'degraded', license: 'valid', detail: 'database: slow' },
  ],
  [
    200,
    json,
    health('down', { status: 'down', detail: 'away' }),
    { condition: 'down', detail: 'database: away' },
  ],
  [
    403,
    problem,
    refusal('LICENSE_REQUIRED', { state: 'unlicensed' }),
    { condition: 'ok', license: 'unlicensed', detail: 'in words' },
  ],
  [403, problem, refusal('SUSPENDED', { state: 'rejected' }), { condition: 'ok', license: 'rejected' }],
  [403, problem, refusal('REVOKED'), { condition: 'ok', license: 'rejected' }],
  [403, problem, refusal('FORBIDDEN'), { condition: 'degraded' }],
  [
    403,
    'text/html',
    '<h1>proxy</h1>',
    { condition: 'degraded', detail: 'answers 403 when asked for its health' },
  ],
  [
    503,
    problem,
    JSON.stringify({ type: 'x', title: 'x', status: 503, code: 'SHUTTING_DOWN' }),
    { condition: 'degraded' },
  ],
])('%i %s %s', (status, contentType, body, expected) => {
  expect(readHealthAnswer({ status, contentType, body })).toMatchObject(expected);
});
