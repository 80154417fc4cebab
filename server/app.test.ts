import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { botHttp } from '#contracts/discord/bot.ts';
import { problemDocument } from '#contracts/kernel/problems.ts';
import { licenseStateHttp, licenseStatus } from '#contracts/license/license-state.ts';
import {
  databaseHealth,
  gameAgentStatus,
  healthHttp,
  queuesHealth,
  stackHealth,
} from '#contracts/operations/health.ts';
import { observabilityHttp } from '#contracts/operations/observability.ts';
import type { TestDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { createApiApp } from './app.ts';
import { apiDatabase } from './kernel/testing/api-database.ts';
import { ask } from './kernel/testing/ask.ts';
import { startTestApi, type TestApi, testBotSecret } from './kernel/testing/test-api.ts';
import { whenInUse } from './kernel/testing/when-in-use.ts';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await apiDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  await whenInUse(api);
  await eventually(() => expect(api.context.workers.running).toBe(true));
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const asBot = { Authorization: `Bearer ${testBotSecret}`, 'Content-Type': 'application/json' };
const report = (body: string | Buffer, headers: Record<string, string> = asBot) =>
  ask(api.port, botHttp.report.path, { method: 'PUT', headers, body });

const loopbackPaths = [
  ...[...Object.values(healthHttp), ...Object.values(observabilityHttp)].map(({ path }) => path),
  licenseStateHttp.status.path,
];

// Guarantee: the documented endpoints return real readings in the shapes of the contract.
test('the documented endpoints', async () => {
  await report(JSON.stringify({ state: 'waiting', obstacle: 'no-token', detail: 'no token' }));
  const health = stackHealth.parse((await ask(api.port, '/api/health')).json);
  expect(health).toMatchObject({
    status: 'ok',
    license: 'valid',
    components: {
      bot: { status: 'ok', detail: 'waiting: no token' },
      entitlements: { status: 'ok', detail: null },
      bans: { status: 'ok', detail: null },
      integrity: { status: 'ok', detail: null },
    },
    troubleSince: {},
  });
  const queues = queuesHealth.parse((await ask(api.port, '/api/health/queues')).json);
  expect(queues.status).toBe('ok');
  expect(queues.queues.map(({ name }) => name)).toEqual([
    'delivery',
    'mods',
    'delivery-wakes',
    'maintenance',
    'reencrypt-secrets',
  ]);
  const latency = databaseHealth.parse((await ask(api.port, '/api/health/database')).json);
  expect(latency).toMatchObject({ status: 'ok', detail: null });
  for (const figure of [latency.latencyMs, latency.p50Ms, latency.p95Ms, latency.p99Ms])
    expect(figure).toBeGreaterThan(0);
  expect((await ask(api.port, '/api/health/agents')).json).toEqual({ status: 'ok', agents: [] });
  const gameAgent = gameAgentStatus.parse((await ask(api.port, '/api/game-agent/status')).json);
  expect(gameAgent).toEqual({ connected: 0, stale: 0, agents: [] });
  const license = licenseStatus.parse((await ask(api.port, '/api/internal/license/status')).json);
  expect(license.state).toBe('valid');
});

// Guarantee: an API that was opened on one address still answers on this machine itself without a credential.
test('an address of its own', async () => {
  await using opened = await startTestApi({
    databaseUrl: database.url,
    apiHosts: ['127.0.0.2', '127.0.0.1'],
    // A port that the system chose on the first address may be taken on the second.
    port: await freePort(),
  });
  expect((await fetch(`http://127.0.0.2:${opened.port}/api/health`)).status).toBe(401);
  expect((await ask(opened.port, '/api/health')).status).toBe(200);
});

// Guarantee: behind a reverse proxy, or under a rebound name, the readings need a session; there are none yet.
describe.each([
  ['a proxy that forwards', { 'X-Forwarded-For': '127.0.0.1' }],
  ['a proxy that says so', { Via: '1.1 nginx' }],
  ['a modern proxy', { Forwarded: 'for=127.0.0.1' }],
  ['a rebound name', { Host: 'evil.example' }],
])('%s', (_who, headers) => {
  test.each(loopbackPaths)('is refused %s', async (path) => {
    expect((await ask(api.port, path, { headers })).json).toMatchObject({
      status: 401,
      code: 'UNAUTHENTICATED',
    });
  });
});

// Guarantee: only the holder of INTERNAL_API_SECRET reports for the bot.
test.each([
  ['nothing', {}],
  ['another secret', { Authorization: 'Bearer another-secret-of-some-length' }],
  ['a part of it', { Authorization: `Bearer ${testBotSecret.slice(0, -1)}` }],
  ['another scheme', { Authorization: `Basic ${testBotSecret}` }],
])('the bot that shows %s is refused', async (_what, headers) => {
  const answer = await report('{}', { 'Content-Type': 'application/json', ...headers });
  expect(answer.json).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  expect(answer.text).not.toContain(testBotSecret);
});

// Guarantee: each kind of bad input gets its own problem document with the request's id, and never breaks anything.
test.each([
  [400, 'no JSON', '{"broken', {}],
  [400, 'nothing', '', {}],
  [400, 'a JSON text', '"hello"', {}],
  [400, 'wrong types', '{"state": 7, "detail": null}', {}],
  [400, 'an unknown field', '{"state": "waiting", "detail": "", "admin": true}', {}],
  [400, 'a huge string', JSON.stringify({ state: 'waiting', detail: 'x'.repeat(501) }), {}],
  [400, 'deep nesting', '['.repeat(40_000), {}],
  [413, 'too much', JSON.stringify({ state: 'waiting', detail: 'x'.repeat(200_000) }), {}],
  [415, 'a form', 'state=waiting', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  [415, 'another charset', '{}', { 'Content-Type': 'application/json; charset=iso-8859-1' }],
  [415, 'compression', '{}', { 'Content-Encoding': 'gzip' }],
])('%i for %s', async (status, _what, body, headers) => {
  const answer = await report(body, { ...asBot, ...headers });
  expect(answer.status).toBe(status);
  const problem = problemDocument.parse(answer.json);
  expect(problem.code).toMatch(/^[A-Z_]+$/);
  expect(problem.instance).toBe(answer.headers['x-request-id']);
});

// Guarantee: the response to a wrong address says what is wrong; a broken percent sign is the client's fault, not ours.
test('unknown addresses and methods', async () => {
  expect((await ask(api.port, '/api/nothing')).json).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const wrongMethod = await ask(api.port, '/api/health', { method: 'DELETE' });
  expect(wrongMethod.json).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
  expect(wrongMethod.headers.allow).toBe('GET, HEAD');
  expect((await ask(api.port, '/api/%zz')).status).toBeLessThan(500);
  expect((await ask(api.port, `/${'x'.repeat(10_000)}`)).status).toBe(404);
});

// Guarantee: the OpenAPI document describes every bound route, and nothing else; every reference in it resolves.
test('the OpenAPI document', async () => {
  const { json, text } = await ask(api.port, '/api/openapi.json');
  const document = json as unknown as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
    components: { schemas: Record<string, unknown> };
  };
  expect(document.openapi).toMatch(/^3\.1\./);
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  );
  expect(described.sort()).toEqual(boundRoutes().sort());
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { responses } of operations) expect(responses).toHaveProperty('200');
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    expect(document.components.schemas).toHaveProperty(name);
});

/** Walks Express's own router, so that a route bound without the contracts would be found too. */
const boundRoutes = (): string[] => {
  const { router } = createApiApp(api.context);
  return router.stack.flatMap(({ route }) => {
    if (!route) return [];
    const methods = route.stack.map(({ method }) => method);
    // The answer to a wrong method is bound to all methods, and is not an endpoint.
    if (methods.includes('trace')) return [];
    return [...new Set(methods)].map((method) => `${method} ${route.path.replace(/:(\w+)/g, '{$1}')}`);
  });
};

// Guarantee: metrics count requests by route, never by the path that a stranger chose, and show the queues.
test('metrics', async () => {
  await ask(api.port, '/some/strange/path');
  const { text, headers } = await ask(api.port, '/metrics');
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toMatch(
    /castellan_http_requests_total\{method="GET",route="\/api\/health",status="200"\} [1-9]/,
  );
  expect(text).toMatch(
    /castellan_http_request_duration_seconds_count\{method="GET",route="none",status="404"\}/,
  );
  expect(text).toContain('castellan_queue_jobs{queue="delivery",state="failed"} 0');
  expect(text).toContain('castellan_database_up 1');
  expect(text).toContain('castellan_entitlement_places{state="unknown"} 0');
  expect(text).toContain('castellan_entitlement_ends_overdue 0');
  expect(text).toContain('castellan_ban_places{state="banning"} 0');
  expect(text).toContain('castellan_bans_overdue 0');
  expect(text).toContain('castellan_ban_oldest_due_seconds 0');
  expect(text).toMatch(/^castellan_ban_silence_seconds \d/m);
  expect(text).toContain('castellan_entitlement_oldest_due_seconds 0');
  expect(text).toMatch(/^castellan_entitlement_silence_seconds \d/m);
  expect(text).toMatch(/process_cpu_seconds_total/);
  expect(text).not.toContain('strange');
});

// Guarantee: a flood of health requests is not a flood of queries.
test('readings are shared', async () => {
  let acquired = 0;
  const { pool } = api.context.database;
  const count = () => {
    acquired += 1;
  };
  pool.on('acquire', count);
  const beganMs = performance.now();
  await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      ask(api.port, index % 2 ? '/api/health' : '/api/health/queues'),
    ),
  );
  pool.off('acquire', count);
  // Each second has its own readings.
  expect(acquired).toBeLessThan(40 * Math.ceil((performance.now() - beganMs) / 1000));
});

// Guarantee: a browser is told to load nothing from elsewhere and never to frame the panel.
test('security headers', async () => {
  const { headers } = await ask(api.port, '/api/health');
  expect(headers['content-security-policy']).toMatch(/default-src 'self'.*frame-ancestors 'none'/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['x-powered-by']).toBeUndefined();
});
