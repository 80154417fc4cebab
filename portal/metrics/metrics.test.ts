import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { portalHttp } from '#contracts/portal/portal.ts';
import type { TestDatabase } from '#harness/database.ts';
import { newAddress, newHwid, portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { listen } from '#runtime/http/listen.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { createPortalApp } from '../app.ts';

const token = new Secret('a-token-for-the-metrics-of-a-portal');
const stopping = new AbortController();
let database: TestDatabase;
let portal: TestPortal;
let port: number;
const resources = new AsyncDisposableStack();

beforeAll(async () => {
  database = resources.use(await portalDatabase());
  portal = resources.use(await startTestPortal({ databaseUrl: database.url }));
  const handler = createPortalApp(portal.context, {
    trustProxy: ['loopback'],
    metricsToken: token,
    stopping: stopping.signal,
    log: createLog({ component: 'portal', level: 'silent' }),
  });
  ({ port } = resources.use(await listen({ handler, host: '127.0.0.1', port: 0 })));
});
afterAll(() => resources.disposeAsync());

/** `fetch` sets the Host itself. */
const ask = (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  body = '',
): Promise<{ status: number; body: string; connection: string | undefined }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const { statusCode = 0 } = response;
      text(response).then(
        (said) => resolve({ status: statusCode, body: said, connection: response.headers.connection }),
        reject,
      );
    });
    request.on('error', reject).end(body);
  });

const metrics = async (): Promise<string> => (await ask(portalHttp.metrics.path)).body;
const valueFor = async (series: string): Promise<number> =>
  Number(
    (await metrics())
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1],
  );

const strangers: readonly [string, Record<string, string>][] = [
  ['one behind a proxy', { 'X-Forwarded-For': newAddress() }],
  ['a web page under a name of its own', { Host: 'rebound.example.com' }],
  ['a wrong token', { 'X-Forwarded-For': newAddress(), Authorization: 'Bearer guessed' }],
  ['an empty token', { Via: '1.1 proxy', Authorization: 'Bearer ' }],
];

// Guarantee: metrics are only for this machine and for the holder of the token.
test.each(strangers)('%s is refused', async (_who, headers) => {
  const answer = await ask(portalHttp.metrics.path, headers);
  expect(answer.status).toBe(401);
  expect(JSON.parse(answer.body).code).toBe('UNAUTHENTICATED');
});

test('this machine and the token are let in', async () => {
  const behindProxy = { 'X-Forwarded-For': newAddress(), Authorization: `Bearer ${token.reveal()}` };
  for (const headers of [{}, behindProxy])
    expect(await ask(portalHttp.metrics.path, headers)).toMatchObject({ status: 200 });
  expect(await metrics()).not.toContain(token.reveal());
});

// Guarantee: the metrics that the operations notes say to watch exist, and count what the notes say.
test('answers, licenses, mails and keys are shown', async () => {
  const license = await portal.issue();
  const activation = {
    hwid: newHwid(),
    instanceId: crypto.randomUUID(),
    version: '1.0.0',
  };
  const activate = (licenseKey: string) =>
    ask(
      '/api/licenses/activate',
      { 'Content-Type': 'application/json', 'X-Forwarded-For': newAddress() },
      'POST',
      JSON.stringify({ ...activation, licenseKey }),
    );
  await activate(license.licenseKey);
  await activate('CSTL-0000-0000-0000-0000');
  await ask('/somewhere/a-stranger-chose');
  // The license counts may be up to a minute old.
  await portal.context.pool.query('delete from vendor_figures');
  const answered = 'castellan_portal_license_answers_total';
  expect(await valueFor(`${answered}{operation="activate",code="OK"}`)).toBe(1);
  expect(await valueFor(`${answered}{operation="activate",code="UNAUTHORIZED"}`)).toBe(1);
  expect(await valueFor('castellan_portal_database_up')).toBe(1);
  expect(await valueFor('castellan_portal_licenses{state="active"}')).toBe(1);
  expect(await valueFor('castellan_portal_machines{state="bound"}')).toBe(1);
  expect(await valueFor('castellan_portal_signing_key_age_seconds')).toBeGreaterThanOrEqual(0);
  expect(await valueFor('castellan_portal_mails{state="given_up"}')).toBe(0);
  expect(await valueFor('castellan_portal_mail_oldest_due_seconds')).toBeGreaterThanOrEqual(0);
  expect(await valueFor('castellan_portal_purchase_events{outcome="unprocessed"}')).toBe(0);
  const said = await metrics();
  expect(said).toContain('route="/api/licenses/activate"');
  expect(said).not.toContain('a-stranger-chose');
  expect(said).not.toContain(license.licenseKey);
});

// Guarantee: the operations notes name no metric that does not exist, and omit none of ours.
test('the operations notes', async () => {
  const notes = await readFile(resolve(import.meta.dirname, '../../docs/operations/README.md'), 'utf8');
  const said = await metrics();
  const ours = [...said.matchAll(/^# TYPE (castellan_portal_\w+)/gm)].map(([, name]) => name);
  const named = [...notes.matchAll(/(?:castellan_portal|nodejs)_\w+/g)].map(([name]) => name);
  for (const name of named) expect(said).toContain(`# TYPE ${name} `);
  expect(ours.filter((name) => !named.includes(name ?? ''))).toEqual([]);
});

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
}

// Guarantee: the OpenAPI document describes every JSON endpoint of the portal.
test('the OpenAPI document', async () => {
  const { status, body } = await ask(portalHttp.openApi.path);
  expect(status).toBe(200);
  const { paths } = JSON.parse(body) as Document;
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toMatchInlineSnapshot(`
    [
      "DELETE /api/customer/licenses/{id}/transfer",
      "DELETE /api/customer/sessions",
      "DELETE /api/customer/sessions/current",
      "GET /.well-known/castellan-keys.json",
      "GET /.well-known/jwks.json",
      "GET /api/customer/licenses",
      "GET /api/customer/licenses/{id}",
      "GET /api/customer/sessions",
      "GET /api/openapi.json",
      "GET /health",
      "GET /metrics",
      "GET /ready",
      "POST /api/customer/licenses/{id}/reveal",
      "POST /api/customer/licenses/{id}/reveal/code",
      "POST /api/customer/sign-in",
      "POST /api/customer/sign-in/code",
      "POST /api/licenses/activate",
      "POST /api/licenses/validate",
      "POST /api/purchases/webhook/generic",
      "POST /api/purchases/webhook/stripe",
      "PUT /api/customer/licenses/{id}/transfer",
    ]
  `);
});

// Guarantee: once it is asked to stop, the process says that it is not ready, still answers, and closes every
// connection.
test('a portal that is stopping', async () => {
  expect(await ask(portalHttp.ready.path)).toMatchObject({ status: 200 });
  stopping.abort();
  const answer = await ask(portalHttp.ready.path, { Connection: 'keep-alive' });
  expect(answer).toMatchObject({ status: 503, connection: 'close' });
  expect(JSON.parse(answer.body).code).toBe('SHUTTING_DOWN');
  expect(await ask(portalHttp.health.path)).toMatchObject({ status: 200 });
  expect(await valueFor('castellan_portal_stopping')).toBe(1);
});

// Guarantee: a process is not ready when its answers would not be valid: its signing key was revoked without its
// knowledge, or the database is older than its own schema.
test('a database that is not the one of before', async () => {
  const { url, context } = portal;
  const ready = async () => {
    const response = await fetch(url + portalHttp.ready.path);
    return { status: response.status, body: (await response.json()) as { detail?: string } };
  };
  expect(await ready()).toMatchObject({ status: 200 });
  const { kid } = context.keyRing.active;
  await context.pool.query('update signing_keys set struck_at = now() where kid = $1', [kid]);
  expect(await ready()).toMatchObject({ status: 503, body: { detail: expect.stringContaining('key') } });
  await context.pool.query('update signing_keys set struck_at = null where kid = $1', [kid]);
  expect(await ready()).toMatchObject({ status: 200 });
  await context.pool.query(
    'delete from schema_migrations where name = (select max(name) from schema_migrations)',
  );
  expect(await ready()).toMatchObject({ status: 503, body: { detail: expect.stringContaining('older') } });
});
