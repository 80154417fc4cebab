import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { Secret } from '#runtime/secret.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { readGenericEvent } from '../../purchases/generic-event.ts';
import { type EnrolledAccount, enrolAccount } from '../testing/enrolled-account.ts';

const adminToken = new Secret('a token that opens the very first page');
let database: TestDatabase;
let portal: TestPortal;
let account: EnrolledAccount;
beforeAll(async () => {
  database = await portalDatabase();
  portal = await startTestPortal({ databaseUrl: database.url, adminToken });
  account = await enrolAccount(portal, 'Ada');
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${portal.url}/admin${path}`, { redirect: 'manual', ...init });
const cookie = () => ({ Cookie: `castellan_vendor=${account.token}` });
const ownPage = { 'Sec-Fetch-Site': 'same-origin' };
const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  ask(path, {
    method: 'POST',
    headers: { ...cookie(), ...ownPage, ...headers },
    body: new URLSearchParams(fields),
  });
const csrf = () => csrfTokenOf(account.token);

const pages = [
  '',
  '/licenses',
  '/licenses.csv',
  '/licenses/new',
  '/customers',
  '/events',
  '/events.csv',
  '/events/vendor',
  '/keys',
  '/mail',
  '/purchases',
  '/accounts',
  '/account',
] as const;

// Guarantee: without a session every page leads to the sign-in, and nothing is done.
test('nobody', async () => {
  const license = await portal.issue();
  for (const path of [...pages, `/licenses/${license.id}`, `/licenses/${license.id}/events.csv`]) {
    const answer = await ask(path);
    expect([path, answer.status, answer.headers.get('Location')]).toEqual([path, 303, '/admin/sign-in']);
  }
  for (const path of [`/licenses/${license.id}/revoke`, '/keys/rotate', '/accounts', '/licenses/new']) {
    const answer = await ask(path, { method: 'POST', headers: ownPage, body: new URLSearchParams() });
    expect([path, answer.headers.get('Location')]).toEqual([path, '/admin/sign-in?notice=ended']);
  }
  expect(await portal.context.vendor.find(license.id)).toMatchObject({ status: 'active' });
});

// Guarantee: a session whose second step is not done opens nothing but that step.
test('half signed in', async () => {
  const { signIn } = portal.context.vendorArea;
  const step = await signIn.password('Ada', account.password, {
    address: '192.0.2.1',
    userAgent: '',
    device: null,
  });
  if (step.outcome !== 'go-on') return expect.fail(step.outcome);
  for (const path of pages) {
    const answer = await ask(path, { headers: { Cookie: `castellan_vendor=${step.token}` } });
    expect([path, answer.headers.get('Location')]).toEqual([path, '/admin/sign-in/code']);
  }
});

// Guarantee: a form counts only with the token of its session, and only from a page of ours.
test('forms from elsewhere', async () => {
  const license = await portal.issue();
  const path = `/licenses/${license.id}/revoke`;
  const events = await portal.context.vendorArea.events.ofLicenses({ licenseId: license.id, limit: 1 });
  const seen = events[0]?.id ?? '';
  expect((await send(path, { seen })).status).toBe(403);
  expect((await send(path, { seen, csrf: csrfTokenOf('another') })).status).toBe(403);
  expect((await send(path, { seen, csrf: csrf() }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  expect(
    (
      await send(
        path,
        { seen, csrf: csrf() },
        { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
      )
    ).status,
  ).toBe(403);
  expect(await portal.context.vendor.find(license.id)).toMatchObject({ status: 'active' });
  const done = await send(path, { seen, csrf: csrf() });
  expect(done.headers.get('Location')).toBe(`/admin/licenses/${license.id}?notice=revoke`);
  expect((await send(path, { seen, csrf: csrf() })).status).toBe(409);
});

// Guarantee: addresses and fields that nobody would write are answered in words, not with a fault of ours.
test.each([
  '/licenses/none',
  '/licenses/none/revoke',
  '/licenses/%00',
  '/licenses/x/__proto__',
  '/customers/none',
  '/customers/%00',
  '/keys/none/strike',
  '/purchases/none/dismiss',
  '/accounts/none/reset',
  '/nothing',
])('%s is not found', async (path) => {
  expect((await ask(path, { headers: cookie() })).status).toBe(404);
});
test.each([
  '/licenses?after=none&status=none&q=%27%3B--',
  '/licenses?q=a&q=b',
  '/events?before=9999999999999999999999',
  '/events?before=-1',
  '/customers?after=x&email=%25',
  '/mail?state=x&after=y',
  '/purchases?outcome=x&after=y',
  '/licenses?q=%00&after=%00',
  '/licenses.csv?q=a%00',
  '/customers?email=%00&after=%00',
  '/mail?after=%00',
  '/purchases?after=%00',
])('%s is a page', async (path) => {
  expect((await ask(path, { headers: cookie() })).status).toBe(200);
});
test('a form full of nonsense', async () => {
  const answer = await send('/licenses/new', {
    csrf: csrf(),
    id: 'x',
    email: 'no',
    tier: 'A B',
    features: ',',
    clusters: '-1',
    expires: '2020-13-01',
    order: '\u00e9',
  });
  expect(answer.status).toBe(400);
  expect((await send('/licenses/search', { csrf: csrf(), q: 'x'.repeat(5000) })).status).toBe(303);
});

// Guarantee: an open purchase is set aside once, after it was asked for, and the log names whoever did it.
test('setting a purchase aside', async () => {
  const { purchases, events } = portal.context.vendorArea;
  const event = readGenericEvent({
    id: 'event-1',
    type: 'purchase',
    occurredAt: '2026-03-01T10:00:00Z',
    orderId: 'order-1',
    email: 'buyer@example.com',
    plan: 'none',
  });
  expect(await purchases.take(event, Buffer.alloc(32))).toBe('unprocessed');
  const [{ id = '' } = {}] = await purchases.list({ outcome: 'unprocessed', limit: 1 });
  const path = `/purchases/${id}/dismiss`;
  expect(await (await ask('/purchases', { headers: cookie() })).text()).toContain(path);
  expect(await (await ask(path, { headers: cookie() })).text()).toContain('buyer@example.com');
  expect((await send(path, {})).status).toBe(403);
  const done = await send(path, { csrf: csrf() });
  expect(done.headers.get('Location')).toBe('/admin/purchases?notice=dismissed');
  const again = await send(path, { csrf: csrf() });
  expect(again.headers.get('Location')).toBe('/admin/purchases?notice=not-dismissed');
  expect(await purchases.find(id)).toMatchObject({ outcome: 'ignored' });
  const logged = (await events.ofVendor({ limit: 5 })).filter(({ kind }) => kind === 'purchase_dismissed');
  expect(logged).toMatchObject([{ subject: id, actorName: 'Ada' }]);
});

// Guarantee: no page shows a password, a code, a session, an authenticator's secret, the admin token or a whole key.
test('canaries', async () => {
  const license = await portal.issue({ buyerEmail: 'canary@example.com' });
  const paths = [
    ...pages,
    `/licenses/${license.id}`,
    `/licenses/${license.id}/unbind`,
    `/licenses/${license.id}/events.csv`,
    `/customers/${license.tenantId}`,
  ];
  const { password, secret, token, device, recoveryCodes } = account;
  const canaries = [
    password,
    secret,
    token,
    device,
    adminToken.reveal(),
    license.licenseKey,
    ...recoveryCodes,
  ];
  for (const path of paths) {
    const answer = await ask(path, { headers: cookie() });
    const body = await answer.text();
    expect([path, answer.status, answer.headers.get('Cache-Control')]).toEqual([path, 200, 'no-store']);
    for (const canary of canaries) expect(body.includes(canary), path).toBe(false);
  }
  const search = await send('/licenses/search', { csrf: csrf(), q: license.licenseKey });
  expect(search.headers.get('Location')).toBe(`/admin/licenses/${license.id}`);
});

// Guarantee: no script runs on a page, and none could read its cookies.
test('headers', async () => {
  const page = await ask('/sign-in');
  expect(page.headers.get('Set-Cookie')).toMatch(/HttpOnly; SameSite=Lax/);
  expect(page.headers.get('Content-Security-Policy')).toMatch(/default-src 'none'/);
});
