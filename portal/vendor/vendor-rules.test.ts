import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { momentSchema, reasonSchema } from '#contracts/portal/vendor.ts';
import type { TestDatabase } from '#harness/database.ts';
import { movableClock, newHwid, portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { newId } from '../database/new-id.ts';
import { createLicenseKeyVault, firstVaultParts } from '../licenses/license-key-vault.ts';
import { exportEvents, exportLicenses } from './csv-export.ts';
import { readLicenseQuery } from './license-query.ts';
import { createSearchLicenses } from './search-licenses.ts';

const hourMs = 3_600_000;
const clock = movableClock();
let database: TestDatabase;
let portal: TestPortal;
beforeAll(async () => {
  database = await portalDatabase();
  portal = await startTestPortal({ databaseUrl: database.url, clock });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const firstVault = () => createLicenseKeyVault(firstVaultParts(portal.masterKey));
const area = () => portal.context.vendorArea;
const find = async (typed: string) =>
  (await area().search({ query: readLicenseQuery(typed), limit: 10 })).rows.map(({ id }) => id);
const kindsOf = async (licenseId: string) =>
  (await area().events.ofLicenses({ licenseId, limit: 50 })).map(({ kind, actorName }) => [kind, actorName]);

// Guarantee: a license is found by what a person has at hand, however it is typed: whole keys, ids and HWIDs, and parts
// of address, name, order and end of the key. Pattern characters match only themselves.
test('search', async () => {
  const buyerEmail = 'Searched@Example.com';
  const buyerName = 'José مريم 100%_o';
  const license = await portal.issue({ buyerEmail, buyerName, purchaseId: 'order-77' });
  const hwid = newHwid();
  await portal.activate(license.licenseKey, hwid);
  const { licenseKey, id, tenantId } = license;
  const ways = [licenseKey, licenseKey.toLowerCase().replaceAll('-', ' '), id, tenantId, hwid];
  for (const typed of [
    ...ways,
    ` ${hwid.toUpperCase().replace('SHA', 'sha')} `,
    'searched@example.COM',
    'order-77',
    'RDER-7',
    'arched@',
    'josé',
    'مريم',
    '100%_o',
    '77 jos example',
    license.maskedKey,
    licenseKey.slice(-4),
  ])
    expect([typed, await find(typed)]).toEqual([typed, [id]]);
  const others = ['order%77', 'sear_hed', '\\', '77 nothing', 'josè', 'o%'.repeat(2000)];
  for (const typed of [...others, newHwid(), newId(), `${licenseKey.slice(0, -1)}U`])
    expect([typed, await find(typed)]).toEqual([typed, []]);
  // Each of the two characters themselves occurs in the name once.
  expect([await find('%'), await find('_')]).toEqual([[id], [id]]);
  expect(readLicenseQuery('CSTL-0000-0000-0000-000')).toEqual({ by: 'mistyped-key' });
});

// Guarantee: a search that has read as many licenses as allowed continues on the next page, and finds older ones.
test('a search in portions', async () => {
  const wanted = await portal.issue({ buyerEmail: 'oldest@example.com' });
  for (let issued = 0; issued < 5; issued += 1) await portal.issue();
  const search = createSearchLicenses(portal.context.db, firstVault(), 2);
  const query = readLicenseQuery('oldest@');
  const found: string[] = [];
  let pages = 0;
  for (let after: string | undefined; ; pages += 1) {
    const { rows, next } = await search({ query, after, limit: 10 });
    found.push(...rows.map(({ id }) => id));
    if (next === null) break;
    after = next;
  }
  expect([found, pages > 2]).toEqual([[wanted.id], true]);
});

// Guarantee: the vendor's reason is shown in the customer's installation until the license is active again, is in the
// events, and contains neither line breaks nor direction marks; a revocation by the gateway removes it.
test('a reason', async () => {
  const license = await portal.issue({ buyerEmail: 'reason@example.com' });
  const hwid = newHwid();
  const { body } = await portal.activate(license.licenseKey, hwid);
  const written = reasonSchema.parse(' Your last\r\npayment \u202efailed\u202c. <b>Pay</b> ');
  expect(written).toBe('Your last payment failed . <b>Pay</b>');
  await area().licensesBy('Ada').suspend(license.id, written);
  const refused = await portal.validate(license, body.token, hwid);
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    403,
    'SUSPENDED',
    expect.stringContaining(written),
  ]);
  expect(await portal.context.vendor.find(license.id)).toMatchObject({ statusReason: written });
  const [event] = await area().events.ofLicenses({ licenseId: license.id, limit: 1 });
  expect(event).toMatchObject({ kind: 'suspended', actorName: 'Ada', data: { reason: written } });
  await area().licensesBy('Ada').resume(license.id);
  expect(await portal.context.vendor.find(license.id)).toMatchObject({ statusReason: null });
  expect((await portal.validate(license, body.token, hwid)).status).toBe(200);
  expect((await portal.activate(license.licenseKey, newHwid())).body).not.toHaveProperty('detail');
  for (const bad of ['', ' \u202e\n ', 'x'.repeat(301)])
    expect(reasonSchema.safeParse(bad).success).toBe(false);
  expect(reasonSchema.safeParse('😀'.repeat(300)).success).toBe(true);
});

// Guarantee: licenses from before the search knew the ends of keys are found by them after the next start.
test('ends of older keys', async () => {
  const license = await portal.issue({ buyerEmail: 'older@example.com' });
  await portal.context.pool.query('update licenses set key_tail = null where id = $1', [license.id]);
  const tail = license.licenseKey.slice(-4);
  expect(await find(tail)).not.toContain(license.id);
  await using _next = await startTestPortal({
    databaseUrl: database.url,
    masterKey: portal.masterKey,
    clock,
  });
  expect(await find(tail)).toContain(license.id);
});

// Guarantee: pages show every license once, however many were created at the same moment.
test('pages', async () => {
  const buyerEmail = 'many@example.com';
  const issued = await Promise.all(Array.from({ length: 7 }, () => portal.issue({ buyerEmail })));
  const seen: string[] = [];
  for (let after: string | undefined; ; ) {
    const { rows, next } = await area().search({ query: readLicenseQuery(buyerEmail), after, limit: 3 });
    seen.push(...rows.map(({ id }) => id));
    if (next === null) break;
    after = next;
  }
  expect(seen.toSorted()).toEqual(issued.map(({ id }) => id).toSorted());
  expect(await area().customers.list({ email: 'MANY@example.com', limit: 2 })).toMatchObject({
    rows: [{ licenses: 7 }],
    next: null,
  });
});

// Guarantee: the same request sent twice, even at the same time, issues one license, mails one key and shows it once.
test('issue twice', async () => {
  const wanted = {
    id: newId(),
    buyerEmail: 'twice@example.com',
    tier: 'pro',
    features: ['*'],
    maxClusters: null,
    expiresAt: null,
    mailKey: true,
  };
  const answers = await Promise.all([1, 2, 3].map(() => area().licensesBy('Ada').issue(wanted)));
  expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['issued', 'refused', 'refused']);
  expect(await find('twice@example.com')).toEqual([wanted.id]);
  expect(await kindsOf(wanted.id)).toEqual([['issued', 'Ada']]);
  const { rows } = await portal.context.pool.query(
    `select kind from mail_outbox where recipient = 'twice@example.com'`,
  );
  expect(rows).toEqual([{ kind: 'license_issued' }]);
});

// Guarantee: a license that is refused because its order is another customer's leaves no customer behind.
test('an order of somebody else', async () => {
  await portal.issue({ buyerEmail: 'first@example.com', purchaseId: 'order-of-first' });
  const wanted = { tier: 'pro', features: ['*'], maxClusters: null, expiresAt: null };
  const second = { ...wanted, buyerEmail: 'second@example.com', purchaseId: 'order-of-first' };
  expect(await area().licensesBy('Ada').issue(second)).toMatchObject({ outcome: 'refused' });
  expect((await area().customers.list({ email: 'second@example.com', limit: 1 })).rows).toEqual([]);
});

// Guarantee: an unbound license binds to whichever machine activates it next; the old one is refused, and a transfer has ended.
test('unbind', async () => {
  const license = await portal.issue({ buyerEmail: 'freed@example.com' });
  const [first, second, third] = [newHwid(), newHwid(), newHwid()];
  const { body } = await portal.activate(license.licenseKey, first);
  await portal.context.customers.transfers.request({
    tenantId: license.tenantId,
    licenseId: license.id,
    hwid: second,
    replaces: null,
  });
  expect(await area().licensesBy('Ada').unbind(license.id)).toMatchObject({
    outcome: 'changed',
    license: { machine: null },
  });
  expect(await area().licensesBy('Ada').unbind(license.id)).toMatchObject({ outcome: 'refused' });
  expect((await portal.validate(license, body.token, first)).body.code).toBe('HWID_MISMATCH');
  expect((await portal.activate(license.licenseKey, third)).status).toBe(200);
  expect((await portal.activate(license.licenseKey, second)).body.code).toBe('HWID_MISMATCH');
  expect(await kindsOf(license.id)).toContainEqual(['unbound', 'Ada']);
});

// Guarantee: a form sent twice extends once, and one that another change has overtaken does nothing.
test('two who change one license', async () => {
  const license = await portal.issue({ expiresAt: new Date(clock.now().getTime() + 24 * hourMs) });
  const [newest] = await area().events.ofLicenses({ licenseId: license.id, limit: 1 });
  const seen = newest?.id ?? '';
  const sent = await Promise.all(
    [1, 2].map(() => area().licensesBy('Ada', seen).extend(license.id, { days: 30 })),
  );
  expect(sent.map(({ outcome }) => outcome).toSorted()).toEqual(['changed', 'refused']);
  expect(await area().licensesBy('Bo', seen).grantTransfer(license.id)).toMatchObject({ outcome: 'refused' });
  expect(await area().licensesBy('Bo').grantTransfer(license.id)).toMatchObject({ outcome: 'changed' });
  expect(await kindsOf(license.id)).toEqual([
    ['transfer_granted', 'Bo'],
    ['extended', 'Ada'],
    ['issued', 'command line'],
  ]);
  await area().licensesBy('Ada').revoke(license.id);
  expect(await area().licensesBy('Ada').grantTransfer(license.id)).toMatchObject({ outcome: 'refused' });
  expect(await area().licensesBy('Ada').suspend('nothing')).toEqual({ outcome: 'not-found' });
});

// Guarantee: a machine that sends requests all the time, and a customer who plans transfers, do not keep the vendor from revoking.
test('a change while somebody knocks', async () => {
  const license = await portal.issue({ buyerEmail: 'knocked@example.com' });
  await portal.activate(license.licenseKey, newHwid());
  const seen = (await area().events.newestChangeOf(license.id)) ?? '';
  expect((await portal.activate(license.licenseKey, newHwid())).body.code).toBe('HWID_MISMATCH');
  const { tenantId, id: licenseId } = license;
  await portal.context.customers.transfers.request({ tenantId, licenseId, hwid: newHwid(), replaces: null });
  expect(await area().licensesBy('Ada', seen).revoke(license.id)).toMatchObject({ outcome: 'changed' });
  expect(await area().licensesBy('Ada', seen).unbind(license.id)).toMatchObject({ outcome: 'refused' });
});

// Guarantee: a date far in the future, meant as never, is stored and shown, and stays one that programs can read.
test.each([
  ['as a date', '9999-12-31'],
  ['west of Greenwich', '9999-12-31T23:00:00-03:00'],
])('the last day of all, %s', async (_what, text) => {
  const expiresAt = momentSchema.parse(text);
  expect(expiresAt.toISOString()).toBe('9999-12-31T23:59:59.999Z');
  const license = await portal.issue({ expiresAt, buyerEmail: 'late@example.com' });
  expect(await portal.context.vendor.find(license.id)).toMatchObject({ expiresAt: expiresAt.toISOString() });
  expect((await portal.activate(license.licenseKey, newHwid())).status).toBe(200);
});

// Guarantee: the figures separate the states, a machine that is silent for more than 25 hours is in grace, and they are
// counted again after a minute, not at each view.
test('figures', async () => {
  const before = (await area().figures())?.figures;
  const silent = await portal.issue();
  await portal.activate(silent.licenseKey, newHwid());
  clock.pass(25 * hourMs - 60_000);
  const awake = await portal.issue();
  await portal.activate(awake.licenseKey, newHwid());
  await portal.issue({ expiresAt: clock.now() });
  await portal.context.vendor.suspend((await portal.issue()).id);
  await portal.context.vendor.revoke((await portal.issue()).id);
  clock.pass(120_000);
  const taken = await area().figures();
  const now = taken?.figures;
  if (!before || !now) return expect.fail('nothing was counted');
  const risen = (name: 'active' | 'expired' | 'suspended' | 'revoked' | 'bound') => now[name] - before[name];
  expect([risen('active'), risen('suspended'), risen('revoked'), risen('bound')]).toEqual([2, 1, 1, 2]);
  // The previous test's license has expired by now, too.
  expect(risen('expired')).toBeGreaterThanOrEqual(1);
  expect(now.bound - now.inGrace).toBe(1);
  expect(now.versions).toEqual([{ version: '1.0.0-beta.1', machines: now.bound }]);
  await portal.issue();
  expect(await area().figures()).toEqual(taken);
});

// Guarantee: every answer to a check is counted in its hour, and the counts of two processes add up.
test('checks per hour', async () => {
  await using other = await startTestPortal({
    databaseUrl: database.url,
    masterKey: portal.masterKey,
    clock,
  });
  const license = await portal.issue();
  const hwid = newHwid();
  const { body } = await portal.activate(license.licenseKey, hwid);
  for (const at of [portal, portal, other]) await at.validate(license, body.token, hwid);
  await portal.validate(license, body.token, newHwid());
  await Promise.all([area().checks.write(), other.context.vendorArea.checks.write()]);
  const hours = await area().checks.lastHours(48);
  expect(hours).toHaveLength(48);
  expect(hours.at(-1)).toMatchObject({ renewed: 3, refused: 1, limited: 0 });
  expect(hours.at(-2)).toMatchObject({ renewed: 0 });
});

// Guarantee: the export contains every license and no key, and nothing in it is executed by a spreadsheet.
test('export', async () => {
  const license = await portal.issue({ buyerEmail: '=cmd@example.com', purchaseId: '@SUM(1)' });
  const csv = await text(await exportLicenses(area().search, { query: { by: 'nothing' } }));
  const { rows } = await portal.context.pool.query('select count(*)::int as count from licenses');
  expect(csv.trimEnd().split('\r\n')).toHaveLength(rows[0].count + 1);
  expect(csv).not.toContain(license.licenseKey);
  expect(csv).toContain(`,'=cmd@example.com,`);
  expect(csv).toContain(`,'@SUM(1),`);
  const events = await text(await exportEvents(area().events, license.id));
  expect(events).toMatch(/issued,vendor,command line,/);
});
