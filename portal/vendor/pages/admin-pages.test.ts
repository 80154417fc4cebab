import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { Secret } from '#runtime/secret.ts';
import { newId } from '../../database/new-id.ts';
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
  '/sales',
  '/sales?days=365',
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

// Guarantee: a session without its second step gives access to nothing but that step.
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

// Guarantee: a form counts only with its session's token, and only from one of our pages.
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
        { 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.example' },
      )
    ).status,
  ).toBe(403);
  expect(await portal.context.vendor.find(license.id)).toMatchObject({ status: 'active' });
  for (const reason of ['', ' \u202e ', 'x'.repeat(301)])
    expect((await send(path, { seen, reason, csrf: csrf() })).status).toBe(400);
  expect(await portal.context.vendor.find(license.id)).toMatchObject({ status: 'active' });
  const reason = 'Sold on <b>twice</b>';
  const done = await send(path, { seen, reason, csrf: csrf() });
  expect(done.headers.get('Location')).toBe(`/admin/licenses/${license.id}?notice=revoke`);
  expect((await send(path, { seen, reason, csrf: csrf() })).status).toBe(409);
  const page = await (await ask(`/licenses/${license.id}`, { headers: cookie() })).text();
  expect(page).toContain('Sold on &lt;b&gt;twice&lt;/b&gt;');
  expect(page).not.toContain(reason);
});

// Guarantee: unusual addresses and field values are answered in words, not with an internal error.
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
    name: '\u202e',
    plan: '-',
    tier: 'A B',
    feature: ',',
    clusters: '-1',
    expires: '2020-13-01',
    order: '\u00e9',
  });
  expect(answer.status).toBe(400);
  expect((await send('/licenses/search', { csrf: csrf(), q: 'x'.repeat(5000) })).status).toBe(303);
});

// Guarantee: what a license grants is chosen only from the lists: an existing plan and nothing else, or a known tier
// and known features, all of them or single ones.
test('what a license may grant', async () => {
  await portal.context.plans.put({
    id: 'year',
    tier: 'pro',
    features: ['own-feature'],
    maxClusters: 2,
    durationDays: 365,
  });
  const issue = async (fields: Record<string, string>, features: readonly string[] = []) => {
    const body = new URLSearchParams({ csrf: csrf(), id: newId(), email: 'chosen@example.com', ...fields });
    for (const feature of features) body.append('feature', feature);
    const answer = await ask('/licenses/new', { method: 'POST', headers: { ...cookie(), ...ownPage }, body });
    return { status: answer.status, id: body.get('id') ?? '' };
  };
  const none = { plan: '-', tier: 'standard' };
  const refused: readonly [Record<string, string>, (readonly string[])?][] = [
    [{}],
    [{ plan: 'nothing' }],
    [{ plan: "year' or true" }],
    [{ plan: 'year', tier: 'standard' }],
    [{ plan: 'year', clusters: '9' }],
    [{ plan: 'year' }, ['*']],
    [none],
    [none, ['unknown']],
    [none, ['*', 'store']],
    [{ plan: '-', tier: 'gold' }, ['*']],
    [{ plan: '-' }, ['*']],
    [{ ...none, expires: '2020-01-01' }, ['*']],
    [{ ...none, expires: '29.03.2030' }, ['*']],
    [{ ...none, expires: '2027-02-30' }, ['*']],
    [{ ...none, clusters: '0' }, ['*']],
  ];
  for (const [fields, features] of refused)
    expect([fields, features, (await issue(fields, features)).status]).toEqual([fields, features, 400]);
  const planned = await issue({ plan: 'year' });
  const single = await issue({ ...none, clusters: '3', expires: '2027-03-28' }, ['store', 'own-feature']);
  expect([planned.status, single.status]).toEqual([200, 200]);
  const found = await portal.context.vendor.find(planned.id);
  expect(found).toMatchObject({ tier: 'pro', features: ['own-feature'], maxClusters: 2 });
  expect(Date.parse(found?.expiresAt ?? '') - Date.parse(found?.createdAt ?? '')).toBeCloseTo(
    365 * 86_400_000,
    -4,
  );
  expect(await portal.context.vendor.find(single.id)).toMatchObject({
    tier: 'standard',
    features: ['store', 'own-feature'],
    maxClusters: 3,
    expiresAt: '2027-03-29T00:00:00.000Z',
  });
});

// Guarantee: a last day ends at midnight in the zone that the vendor has chosen, even on the night of a clock change;
// an unknown zone is refused.
test('the zone of days', async () => {
  const choose = (zone: string) => send('/account/time-zone', { csrf: csrf(), zone });
  for (const zone of ['', 'Mars/Base', "UTC'; drop table licenses", '../etc/passwd', 'UTC+25'])
    expect([zone, (await choose(zone)).status]).toEqual([zone, 400]);
  expect((await choose('Europe/Berlin')).status).toBe(303);
  const license = await portal.issue({ expiresAt: new Date('2027-01-01') });
  const extend = async (until: string) => {
    const seen = (await portal.context.vendorArea.events.newestChangeOf(license.id)) ?? '';
    return (await send(`/licenses/${license.id}/extend`, { csrf: csrf(), seen, until })).status;
  };
  const sunday = nextSpring();
  expect([await extend('tomorrow'), await extend(sunday.before), await extend(sunday.day)]).toEqual([
    400, 303, 303,
  ]);
  // That day has 23 hours: in UTC it ends an hour earlier than the previous one.
  expect(await portal.context.vendor.find(license.id)).toMatchObject({
    expiresAt: `${sunday.day}T22:00:00.000Z`,
  });
  expect(await (await ask('/licenses/new', { headers: cookie() })).text()).toContain('Europe/Berlin');
  expect((await choose('UTC')).status).toBe(303);
});

// Guarantee: the last day that the picker offers, meant as never, is a date that programs can read, west of Greenwich, too.
test.each(['UTC', 'America/Sao_Paulo'])('the last day of all in %s', async (zone) => {
  expect((await send('/account/time-zone', { csrf: csrf(), zone })).status).toBe(303);
  const last = '9999-12-31T23:59:59.999Z';
  const id = newId();
  const chosen = { plan: '-', tier: 'standard', feature: '*', expires: '9999-12-31' };
  const issued = await send('/licenses/new', { csrf: csrf(), id, email: 'never@example.com', ...chosen });
  expect([issued.status, (await portal.context.vendor.find(id))?.expiresAt]).toEqual([200, last]);
  const extended = await portal.issue({ expiresAt: new Date('2027-01-01') });
  const seen = (await portal.context.vendorArea.events.newestChangeOf(extended.id)) ?? '';
  const until = { csrf: csrf(), seen, until: '9999-12-31' };
  expect((await send(`/licenses/${extended.id}/extend`, until)).status).toBe(303);
  expect((await portal.context.vendor.find(extended.id))?.expiresAt).toBe(last);
});

/** The last Sunday of March, when clocks go forward in Berlin, far enough in the future. */
const nextSpring = () => {
  const at = new Date(Date.UTC(2099, 2, 31));
  at.setUTCDate(31 - at.getUTCDay());
  const day = at.toISOString().slice(0, 10);
  return { day, before: new Date(at.getTime() - 86_400_000).toISOString().slice(0, 10) };
};

// Guarantee: an open purchase is set aside once, after a confirmation, and the log names the account that did it.
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
  const overview = async () => (await ask('', { headers: cookie() })).text();
  expect(await overview()).toContain('1 purchase needs a decision');
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
  expect(await overview()).not.toContain('needs a decision');
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
