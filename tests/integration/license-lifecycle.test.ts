import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '#harness/database.ts';
import { type Listener, listen } from '#runtime/http/listen.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { createPortalApp } from '../../portal/app.ts';
import { createContext, type PortalContext } from '../../portal/context.ts';
import type { LicenseClient } from '../../runtime/license/license-client.ts';
import { install, someParts, type TestInstallation } from '../../runtime/license/testing/installation.ts';

/** The real license client against the real portal, both on one clock that the tests move. */

const minuteMs = 60_000;
const dayMs = 86_400_000;
const log = createLog({ component: 'test', level: 'silent' });
const resources = new AsyncDisposableStack();

let installation: TestInstallation;
let portal: PortalContext;
let listener: Listener;
let licenseKey: string;

beforeAll(async () => {
  const database = resources.use(await testDatabase());
  portal = resources.use(
    await createContext({
      databaseUrl: database.url,
      masterKey: new Secret(randomBytes(32).toString('hex')),
      log,
      clock: {
        now: () => new Date(installation?.clock.nowMs() ?? Date.UTC(2026, 0, 1)),
        monotonicMs: () => performance.now(),
      },
    }),
  );
});
afterAll(() => resources.disposeAsync());

/** Each test gets its own address, because the portal's limits count per address. */
let address = 0;
beforeEach(async () => {
  installation = await install();
  address += 1;
  const app = createPortalApp(portal, { trustProxy: ['loopback'], log });
  const from = `10.0.0.${address}`;
  listener = await listen({
    handler: (request, response) => {
      request.headers['x-forwarded-for'] = from;
      app(request, response);
    },
    host: '127.0.0.1',
    port: 0,
  });
  const issued = await portal.vendor.issue({
    buyerEmail: 'owner@example.com',
    tier: 'community',
    features: ['*'],
    maxClusters: 3,
    expiresAt: new Date(installation.clock.nowMs() + 40 * dayMs),
  });
  if (issued.outcome !== 'issued') throw new Error('not issued');
  licenseKey = issued.licenseKey;
  return async () => {
    await installation[Symbol.asyncDispose]();
    await listener[Symbol.asyncDispose]();
  };
});

const open = (overrides = {}) =>
  installation.open({
    portalUrl: `http://127.0.0.1:${listener.port}`,
    publicKey: portal.keyRing.active.publicKey,
    ...overrides,
  });

const activated = async () => {
  const client = await open();
  expect(await client.activate(licenseKey)).toEqual({ outcome: 'activated' });
  return client;
};

/** Moves the clock to the next planned check and waits until it has ended. */
const nextCheck = async (client: LicenseClient) => {
  const { nextCheckAt } = client.status();
  if (!nextCheckAt) throw new Error('no check is planned');
  installation.clock.advance(Date.parse(nextCheckAt) - installation.clock.nowMs());
  await client.checkNow();
};

// Guarantee: an installation that checks in daily is valid at every moment while its license lasts.
test('daily checks keep a license valid', async () => {
  const client = await activated();
  const states = new Set<string>();
  client.subscribe(({ state }) => states.add(state));
  for (let day = 0; day < 20; day += 1) await nextCheck(client);
  expect(client.status()).toMatchObject({ state: 'valid', tier: 'community', maxClusters: 3 });
  expect([...states].filter((state) => state !== 'valid')).toEqual([]);
});

// Guarantee: a suspended license is refused at the next check, also after a restart without the portal; a resumed one recovers by
// itself.
test('suspend, restart offline, resume', async () => {
  const client = await activated();
  await portal.vendor.suspend(licenseKey);
  await nextCheck(client);
  expect(client.status()).toMatchObject({ state: 'rejected', code: 'SUSPENDED' });
  await client[Symbol.asyncDispose]();

  const offline = await open({ portalUrl: 'http://127.0.0.1:1' });
  await offline.checkNow();
  expect(offline.status()).toMatchObject({ state: 'rejected', code: 'SUSPENDED' });
  await offline[Symbol.asyncDispose]();

  await portal.vendor.resume(licenseKey);
  const again = await open();
  await again.checkNow();
  expect(again.status()).toMatchObject({ state: 'valid', code: null });
});

// Guarantee: revoked and expired licenses are distinguished, and an extended one recovers without a restart.
test('revoke, expire, extend', async () => {
  const client = await activated();
  installation.clock.advance(41 * dayMs);
  await client.checkNow();
  expect(client.status()).toMatchObject({ state: 'rejected', code: 'EXPIRED' });
  await portal.vendor.extend(licenseKey, { days: 60 });
  installation.clock.advance(20 * minuteMs);
  await client.checkNow();
  expect(client.status().state).toBe('valid');
  await portal.vendor.revoke(licenseKey);
  await nextCheck(client);
  expect(client.status()).toMatchObject({ state: 'rejected', code: 'REVOKED' });
});

// Guarantee: a bound key works on no other machine, and the attempt does not affect the first machine.
test('one key, two machines', async () => {
  const client = await activated();
  const first = installation;
  await using second = await install();
  second.clock.set(first.clock.nowMs());
  second.parts = someParts();
  const other = await second.open({
    portalUrl: `http://127.0.0.1:${listener.port}`,
    publicKey: portal.keyRing.active.publicKey,
  });
  expect(await other.activate(licenseKey)).toMatchObject({ outcome: 'refused', code: 'HWID_MISMATCH' });
  expect(other.status().state).toBe('unlicensed');
  await nextCheck(client);
  expect(client.status().state).toBe('valid');
});

// Guarantee: an unreachable portal has no effect until the grace period ends, to the second, and everything recovers when it
// returns.
test('grace to its end and back', async () => {
  const client = await activated();
  const { port } = listener;
  await listener[Symbol.asyncDispose]();
  await nextCheck(client);
  expect(client.status().state).toBe('grace');
  const endsAt = Date.parse(client.status().graceEndsAt ?? '');
  installation.clock.advance(endsAt - installation.clock.nowMs() - 1000);
  await client.checkNow();
  expect(client.status().state).toBe('grace');
  installation.clock.advance(1000);
  expect(client.status()).toMatchObject({ state: 'rejected', code: 'LICENSE_GRACE_ENDED' });

  const app = createPortalApp(portal, { trustProxy: false, log });
  listener = await listen({ handler: app, host: '127.0.0.1', port });
  installation.clock.advance(20 * minuteMs);
  await client.checkNow();
  expect(client.status()).toMatchObject({ state: 'valid', lastCheck: { outcome: 'confirmed' } });
});
