import { createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { licenseRateLimits, licensesHttp } from '#contracts/license/licenses.ts';
import { customersHttp } from '#contracts/portal/customers.ts';
import { purchasesHttp, signatureHeaders } from '#contracts/portal/purchases.ts';
import { testDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { newAddress, newHwid, newMasterKey, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { type PortalProcess, servePortal } from '#harness/portal-process.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';

/** Portals as they ship, each a separate process, on one Postgres; requests go to them in turn. */

const webhookSecret = 'whsec_0123456789abcdef0123456789';

let resources: AsyncDisposableStack;
let home: string;
let env: Record<string, string>;
/** A portal in this process, with which the tests issue licenses and read the database. */
let office: TestPortal;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  const database = resources.use(await testDatabase());
  home = resources.use(await temporaryFolder('portal-cluster')).path;
  const masterKey = newMasterKey();
  env = {
    PORTAL_HOME: home,
    PORTAL_DATABASE_URL: database.url.reveal(),
    PORTAL_MASTER_KEY: masterKey.reveal(),
    PURCHASE_WEBHOOK_SECRET: webhookSecret,
    TRUST_PROXY: 'loopback',
  };
  office = resources.use(await startTestPortal({ databaseUrl: database.url, masterKey }));
});
afterEach(() => resources.disposeAsync());

const serve = async (): Promise<PortalProcess> => resources.use(await servePortal({ env }));

interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const send = async (
  { url }: Pick<PortalProcess, 'url'>,
  path: string,
  { method = 'POST', body, from = newAddress(), headers = {} }: Sent = {},
) => {
  const response = await fetch(url + path, {
    method,
    headers: { 'X-Forwarded-For': from, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
};

/** The processes in turn, as a load balancer picks them. */
const inTurn = (portals: readonly PortalProcess[]) => {
  let next = 0;
  return (): PortalProcess => {
    const portal = portals[next++ % portals.length];
    if (!portal) throw new Error('no portal');
    return portal;
  };
};

const activation = (licenseKey: string, hwid: string) => ({
  licenseKey,
  hwid,
  instanceId: crypto.randomUUID(),
  version: '1.0.0',
});
const activate = (portal: PortalProcess, licenseKey: string, hwid: string, from?: string) =>
  send(portal, licensesHttp.activate.path, {
    body: activation(licenseKey, hwid),
    ...(from ? { from } : {}),
  });
const validate = (portal: PortalProcess, body: object, from?: string) =>
  send(portal, licensesHttp.validate.path, { body, ...(from ? { from } : {}) });

// Guarantee: limits count per address, not per process.
test('limits', async () => {
  const next = inTurn([await serve(), await serve()]);
  const license = await office.issue();
  const hwid = newHwid();
  const { body } = await activate(next(), license.licenseKey, hwid);
  const guesser = newAddress();
  const guesses: number[] = [];
  for (let guess = 0; guess < licenseRateLimits.activate + 2; guess += 1)
    guesses.push((await activate(next(), 'CSTL-0000-0000-0000-0000', hwid, guesser)).status);
  expect(guesses).toEqual([403, 403, 403, 403, 403, 429, 429]);

  // From one /64, and at the same time.
  const checks = await Promise.all(
    Array.from({ length: licenseRateLimits.validate + 10 }, (_, index) =>
      validate(
        next(),
        { tenantId: license.tenantId, token: body.token, hwid },
        `2001:db8:7:7::${(index + 1).toString(16)}`,
      ),
    ),
  );
  const passed = checks.filter(({ status }) => status === 200);
  expect(passed).toHaveLength(licenseRateLimits.validate);
  for (const { status, headers } of checks.filter((check) => !passed.includes(check)))
    expect([status, Number(headers.get('Retry-After')) > 0]).toEqual([429, true]);
});

// Guarantee: if any number of machines ask any of the processes at the same time, one gets the license.
test('bindings', async () => {
  const portals = [await serve(), await serve()];
  const next = inTurn(portals);
  const { licenseKey, tenantId } = await office.issue();
  const machines = Array.from({ length: 12 }, newHwid);
  const answers = await Promise.all(
    machines.map(async (hwid) => ({ hwid, ...(await activate(next(), licenseKey, hwid)) })),
  );
  const winners = answers.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  for (const { status, body } of answers.filter((answer) => !winners.includes(answer)))
    expect([status, body.code]).toEqual([403, 'HWID_MISMATCH']);
  for (const { hwid, body } of winners)
    for (const portal of portals)
      expect((await validate(portal, { tenantId, token: body.token, hwid })).status).toBe(200);
});

/** The one-time code of the newest mail to an address that any of the processes has sent. */
const mailedCode = (email: string): Promise<string> =>
  eventually(async () => {
    const folder = join(home, 'mail');
    const texts = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
    );
    const codes = texts
      .filter((text) => text.includes(email))
      .flatMap((text) => /\b[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}\b/.exec(text) ?? []);
    if (codes[0] === undefined) throw new Error('no code was mailed');
    return codes[0];
  });

// Guarantee: a transfer that is requested at one process can be completed at another and counts everywhere; of two simultaneous
// ones, one wins.
test('transfers', async () => {
  const portals = [await serve(), await serve()];
  const next = inTurn(portals);
  const email = 'owner-of-a-cluster@example.com';
  const license = await office.issue({ buyerEmail: email });
  const old = newHwid();
  const { body: before } = await activate(next(), license.licenseKey, old);

  const asked = await send(next(), customersHttp.requestCode.path, { body: { email } });
  const signedIn = await send(next(), customersHttp.signIn.path, {
    body: { pending: asked.body.pending, code: await mailedCode(email) },
  });
  expect(signedIn.status).toBe(200);
  const headers = { Authorization: `Bearer ${signedIn.body.token}` };
  const path = customersHttp.requestTransfer.path.replace(':id', license.id);
  const wanted = [newHwid(), newHwid()];
  const requests = await Promise.all(
    wanted.map(async (hwid) => ({
      hwid,
      ...(await send(next(), path, { method: 'PUT', body: { hwid }, headers })),
    })),
  );
  expect(requests.map(({ status }) => status).sort()).toEqual([200, 409]);

  const moves = await Promise.all(
    [...wanted, newHwid()].map(async (hwid) => ({
      hwid,
      ...(await activate(next(), license.licenseKey, hwid)),
    })),
  );
  const moved = moves.filter(({ status }) => status === 200);
  expect(moved.map(({ hwid }) => hwid)).toEqual(
    requests.filter(({ status }) => status === 200).map(({ hwid }) => hwid),
  );
  for (const portal of portals) {
    const { tenantId } = license;
    const stale = await validate(portal, { tenantId, token: before.token, hwid: old });
    expect([stale.status, stale.body.code]).toEqual([403, 'HWID_MISMATCH']);
    const again = await send(portal, path, { method: 'PUT', body: { hwid: newHwid() }, headers });
    expect([again.body.code, again.body.reason]).toEqual(['TRANSFER_REFUSED', 'too-soon']);
    for (const { hwid, body } of moved)
      expect((await validate(portal, { tenantId, token: body.token, hwid })).status).toBe(200);
  }
});

const sendPurchase = (portal: PortalProcess, order: string) => {
  const body = JSON.stringify({
    id: `event-${order}`,
    type: 'purchase',
    occurredAt: new Date().toISOString(),
    orderId: order,
    email: `${order}@example.com`,
    plan: 'standard',
  });
  const seconds = Math.floor(Date.now() / 1000);
  const digest = createHmac('sha256', webhookSecret).update(`${seconds}.${body}`).digest('hex');
  const headers = { [signatureHeaders.generic]: `t=${seconds},v1=${digest}` };
  return send(portal, purchasesHttp.generic.path, { body, headers });
};

// Guarantee: a process that is killed under load loses nothing that it has answered, and the other one continues: a client that
// asks again is served, once.
test('kill -9 under load', async () => {
  const portals = [await serve(), await serve()] as [PortalProcess, PortalProcess];
  const next = inTurn(portals);
  await office.context.plans.put({
    id: 'standard',
    tier: 'community',
    features: ['*'],
    maxClusters: 2,
    durationDays: null,
  });
  const licenses = await Promise.all(Array.from({ length: 40 }, () => office.issue()));
  const answered: { licenseKey: string; tenantId: string; hwid: string; token: string }[] = [];
  const unexpected: unknown[] = [];
  let orders = 0;
  let retries = 0;
  let isKilled = false;

  /** Like clients and gateways, asks again without an answer. */
  const untilAnswered = async <T>(ask: (portal: PortalProcess) => Promise<T>): Promise<T> => {
    for (;;) {
      const portal = next();
      try {
        return await ask(portal);
      } catch (error) {
        if (!(isKilled && portal === portals[0])) throw error;
        retries += 1;
      }
    }
  };
  const waiting = [...licenses];
  const installing = Array.from({ length: 6 }, async () => {
    for (let license = waiting.shift(); license; license = waiting.shift()) {
      const { licenseKey, tenantId } = license;
      const hwid = newHwid();
      const { status, body } = await untilAnswered((portal) => activate(portal, licenseKey, hwid));
      if (status !== 200) unexpected.push(body);
      else answered.push({ licenseKey, tenantId, hwid, token: body.token });
    }
  });
  const selling = Array.from({ length: 2 }, async () => {
    while (orders < 20) {
      orders += 1;
      const order = `order-${orders}`;
      const { status, body } = await untilAnswered((portal) => sendPurchase(portal, order));
      if (status !== 200 || !['processed', 'duplicate'].includes(body.status)) unexpected.push(body);
    }
  });
  await eventually(() => expect(answered.length).toBeGreaterThan(8), 60_000);
  isKilled = true;
  await portals[0].end('SIGKILL');
  await Promise.all([...installing, ...selling]);

  expect(unexpected).toEqual([]);
  expect(retries).toBeGreaterThan(0);
  expect(answered).toHaveLength(licenses.length);
  for (const { tenantId, hwid, token } of answered)
    expect((await validate(portals[1], { tenantId, token, hwid })).status).toBe(200);
  const { rows } = await office.context.pool.query<{ orders: number; licenses: number; mails: number }>(
    `select
       (select count(*)::int from fulfilments) as orders,
       (select count(*)::int from licenses where purchase_id in (select purchase_id from fulfilments)) as licenses,
       (select count(*)::int from mail_outbox where kind = (select kind from mail_outbox where recipient = 'order-1@example.com')) as mails`,
  );
  expect(rows).toEqual([{ orders: 20, licenses: 20, mails: 20 }]);
});
