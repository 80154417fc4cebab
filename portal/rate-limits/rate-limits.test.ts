import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { licenseRateLimits, licensesHttp } from '#contracts/license/licenses.ts';
import type { TestDatabase } from '#harness/database.ts';
import {
  movableClock,
  newAddress,
  newHwid,
  newMasterKey,
  portalDatabase,
  startTestPortal,
  type TestPortal,
} from '#harness/portal.ts';
import { forgetOldCounters } from './forget-old-counters.ts';

let database: TestDatabase;
let resources: AsyncDisposableStack;
let clock: ReturnType<typeof movableClock>;
const masterKey = newMasterKey();

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  database = resources.use(await portalDatabase());
  await stopTime(database);
  clock = movableClock();
});
afterEach(() => resources.disposeAsync());

const start = async (trustProxy: readonly string[] | false = ['loopback']): Promise<TestPortal> =>
  resources.use(await startTestPortal({ databaseUrl: database.url, masterKey, clock, trustProxy }));

const unknownKey = 'CSTL-0000-0000-0000-0000';
const activate = async (portal: TestPortal, from: string) =>
  (await portal.activate(unknownKey, newHwid(), from)).status;
const validate = async (portal: TestPortal, from: string) =>
  (await portal.validate({ tenantId: `c${'0'.repeat(24)}` }, 'a.b.c', newHwid(), from)).status;

/** The statements' time stands still, however long they take on a slow machine: our function replaces Postgres's. */
const stopTime = async ({ url }: TestDatabase) => {
  const client = new pg.Client({ connectionString: url.reveal() });
  await client.connect();
  await client.query(
    `do $$ begin
       execute format('create function public.statement_timestamp() returns timestamptz language sql stable as %L',
         format('select %L::timestamptz', now()));
       execute format('alter database %I set search_path = public, pg_catalog', current_database());
     end $$`,
  );
  await client.end();
};

/** Moves time on for the portal and for the timestamps in the database, which come from the database. */
const pass = async (portal: TestPortal, seconds: number) => {
  clock.pass(seconds * 1000);
  await portal.context.pool.query(
    `update rate_counters set accepted_at =
       (select array_agg(stamp - make_interval(secs => $1)) from unnest(accepted_at) as stamp)`,
    [seconds],
  );
};

// Guarantee: the sixth activation in a minute is refused with the time to wait, in the documented form.
test('activate takes five a minute', async () => {
  const portal = await start();
  const from = newAddress();
  for (let index = 0; index < licenseRateLimits.activate; index += 1)
    expect(await activate(portal, from)).toBe(403);
  const { status, headers, body } = await portal.activate(unknownKey, newHwid(), from);
  expect(status).toBe(429);
  expect(headers.get('Retry-After')).toMatch(/^\d+$/);
  expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60);
  expect(headers.get('Content-Type')).toContain('application/problem+json');
  expect(body).toMatchObject({ status: 429 });
  expect(body).not.toHaveProperty('code');
  expect(await activate(portal, newAddress())).toBe(403);
  expect(await validate(portal, from)).toBe(403);
});

// Guarantee: of requests that arrive at the same moment, in one batch or several, no more than the limit pass.
test('validate takes thirty a minute, at once too', async () => {
  const portal = await start();
  const [one, other] = [newAddress(), newAddress()];
  const statuses = await Promise.all(
    Array.from({ length: 100 }, (_, index) => validate(portal, index % 2 ? one : other)),
  );
  expect(statuses.filter((status) => status === 403)).toHaveLength(2 * licenseRateLimits.validate);
  expect(statuses.filter((status) => status === 429)).toHaveLength(100 - 2 * licenseRateLimits.validate);
});

// Guarantee: the limit holds over all portal processes on one database together.
test('two portals count together', async () => {
  const [first, second] = [await start(), await start()];
  const from = newAddress();
  const activations = await Promise.all(
    Array.from({ length: 20 }, (_, index) => activate(index % 2 ? first : second, from)),
  );
  expect(activations.filter((status) => status === 403)).toHaveLength(licenseRateLimits.activate);
  const validations = await Promise.all(
    Array.from({ length: 90 }, (_, index) => validate(index % 2 ? first : second, from)),
  );
  expect(validations.filter((status) => status === 403)).toHaveLength(licenseRateLimits.validate);
  expect(await activate(await start(), from)).toBe(429);
});

// Guarantee: the window slides: no sixty seconds ever contain more than the limit, not even across a full minute.
test('the window slides', async () => {
  const portal = await start();
  const from = newAddress();
  for (const gap of [0, 20, 20, 10, 9]) {
    await pass(portal, gap);
    expect(await activate(portal, from)).toBe(403);
  }
  expect(await activate(portal, from)).toBe(429);
  await pass(portal, 1);
  expect(await activate(portal, from)).toBe(403);
  expect(await activate(portal, from)).toBe(429);
  await pass(portal, 18);
  expect(await activate(portal, from)).toBe(429);
  await pass(portal, 2);
  expect(await activate(portal, from)).toBe(403);
  expect(await activate(portal, from)).toBe(429);
});

// Guarantee: refused requests cost nothing: a client that waits as long as Retry-After says gets in, however often it tried.
test('refusals do not prolong the wait', async () => {
  const portal = await start();
  const from = newAddress();
  for (let index = 0; index < licenseRateLimits.activate; index += 1) await activate(portal, from);
  for (let index = 0; index < 12; index += 1) {
    expect(await activate(portal, from)).toBe(429);
    await pass(portal, 5);
  }
  expect(await activate(portal, from)).toBe(403);
});

// Guarantee: a client that changes its address within its own /64, or writes it differently, gains nothing.
test('an IPv6 network and both spellings of an IPv4 address count once', async () => {
  const portal = await start();
  for (const host of ['1', '2', 'ffff:1', '3', '4'])
    expect(await activate(portal, `2001:db8:5:6::${host}`)).toBe(403);
  expect(await activate(portal, '2001:db8:5:6:9999::9')).toBe(429);
  expect(await activate(portal, '2001:db8:5:7::1')).toBe(403);
  for (const from of ['192.0.2.9', '::ffff:192.0.2.9', '192.0.2.9', '::ffff:c000:209', '192.0.2.9'])
    expect(await activate(portal, from)).toBe(403);
  expect(await activate(portal, '::ffff:192.0.2.9')).toBe(429);
});

// Guarantee: no client can choose its address: without TRUST_PROXY the header is ignored, and nonsense in it counts as the proxy.
test('X-Forwarded-For is believed from trusted proxies only', async () => {
  const trusting = await start();
  for (let index = 0; index < licenseRateLimits.activate; index += 1)
    expect(await activate(trusting, `nonsense-${index}`)).toBe(403);
  expect(await activate(trusting, 'nonsense')).toBe(429);
  expect(await activate(await start(false), newAddress())).toBe(429);
});

// Guarantee: malformed bodies use up the rate of their address like any other request, together with well-formed ones,
// whatever the spelling of the path.
test.each([
  ['activate', activate],
  ['validate', validate],
] as const)('malformed bodies count at %s', async (scope, ask) => {
  const portal = await start();
  const from = newAddress();
  const bodies = ['{', JSON.stringify({ hwid: 1 }), 'x'.repeat(20_000)];
  const { path } = licensesHttp[scope];
  const spellings = [path, `${path}/`, path.toUpperCase(), `${path}?again`];
  const malformed = (index: number) =>
    portal.post(spellings[index % 4] ?? path, bodies[index % 3], { 'X-Forwarded-For': from });
  expect(await ask(portal, from)).toBe(403);
  for (let index = 1; index < licenseRateLimits[scope]; index += 1)
    expect([400, 413]).toContain((await malformed(index)).status);
  const { status, headers, body } = await malformed(0);
  expect(status).toBe(429);
  expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  expect(body).not.toHaveProperty('code');
  expect(await ask(portal, from)).toBe(429);
  expect(await ask(portal, newAddress())).toBe(403);
  await pass(portal, 61);
  expect((await malformed(0)).status).toBe(400);
});

// Guarantee: counters of inactive addresses do not pile up, and those that still count are kept.
test('old counters are forgotten', async () => {
  const portal = await start();
  const { pool } = portal.context;
  const count = async () => (await pool.query('select from rate_counters')).rowCount;
  await activate(portal, newAddress());
  await pass(portal, 100);
  await activate(portal, newAddress());
  await forgetOldCounters(pool);
  expect(await count()).toBe(2);
  await pass(portal, 60);
  await forgetOldCounters(pool);
  expect(await count()).toBe(1);
});

// Guarantee: batches of several portals with the same addresses and licenses in any order never block each other.
test('crossing batches are all answered', async () => {
  const portals = [await start(), await start()] as const;
  const machines = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const license = await portals[0].issue();
      const hwid = newHwid();
      const { body } = await portals[0].activate(license.licenseKey, hwid);
      return { license, hwid, token: body.token as string };
    }),
  );
  const addresses = Array.from({ length: 20 }, newAddress);
  const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
  const answers = await Promise.all(
    Array.from({ length: 1500 }, async () => {
      const { license, hwid, token } = any(machines);
      const from = any(addresses);
      return { from, status: (await any(portals).validate(license, token, hwid, from)).status };
    }),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  for (const address of addresses) {
    const passed = answers.filter(({ from, status }) => from === address && status === 200);
    expect(passed).toHaveLength(licenseRateLimits.validate);
  }
  const { rows } = await portals[0].context.pool.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  expect(rows).toEqual([{ deadlocks: 0 }]);
});
