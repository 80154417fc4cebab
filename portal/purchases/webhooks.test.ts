import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { licenseKeyPattern } from '#contracts/license/license-key.ts';
import { purchasesHttp } from '#contracts/portal/purchases.ts';
import type { TestDatabase } from '#harness/database.ts';
import { newHwid, portalDatabase, startTestPortal } from '#harness/portal.ts';
import { Secret } from '#runtime/secret.ts';
import { signed } from '#runtime/webhooks/testing/signed.ts';
import { licensesOf, mailsOf, openShop, type Shop, standardPlan, webhookSecret } from './testing/shop.ts';

let database: TestDatabase;
let shop: Shop;
beforeAll(async () => {
  database = await portalDatabase();
  shop = await openShop(database);
});
afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(() => shop.portal.context.db.deleteFrom('mail_outbox').execute());

let serial = 0;
const newOrder = () => {
  serial += 1;
  return `order-${serial}`;
};
const event = (orderId: string, type: string, more: object = {}) => {
  serial += 1;
  return { id: `event-${serial}`, type, occurredAt: '2026-03-01T10:00:00Z', orderId, ...more };
};
const purchase = (orderId: string, more: object = {}) =>
  event(orderId, 'purchase', { email: 'buyer@example.com', plan: 'standard', ...more });
const send = async (sent: object) => {
  const answer = await shop.send('generic', sent);
  return answer.status === 200 ? answer.body.status : answer.status;
};
const eventsOf = async (licenseId: string) => {
  const rows = await shop.portal.context.db
    .selectFrom('license_events')
    .select(['kind', 'actor'])
    .where('license_id', '=', licenseId)
    .orderBy('id')
    .execute();
  return rows.map(({ kind, actor }) => `${actor} ${kind}`);
};

// Guarantee: a purchase becomes one license as its plan says, and the mail with its key, immediately.
test('a purchase', async () => {
  const order = newOrder();
  expect(await send(purchase(order))).toBe('processed');
  const [license, ...more] = await licensesOf(shop, order);
  const { tier, features, maxClusters } = standardPlan;
  expect(license).toMatchObject({ status: 'active', tier, features, maxClusters, expiresAt: null });
  expect(more).toHaveLength(0);
  expect(await mailsOf(shop)).toEqual(['license_issued']);
  expect(await eventsOf(license?.id ?? '')).toEqual(['gateway issued']);
});

// Guarantee: the mailed key can be activated, and is nowhere in the database in plain text.
test('the key in the mail works', async () => {
  const order = newOrder();
  await send(purchase(order));
  const sent: string[] = [];
  const sender = shop.portal.context.sendMail({
    async send({ text }) {
      sent.push(text);
      return { outcome: 'accepted' };
    },
  });
  await expect.poll(() => sent.length, { timeout: 20_000 }).toBe(1);
  await sender[Symbol.asyncDispose]();
  const [key = ''] = /CSTL(?:-\w{4}){4}/.exec(sent[0] ?? '') ?? [];
  expect(key).toMatch(licenseKeyPattern);
  expect((await shop.portal.activate(key, newHwid())).status).toBe(200);
  const { db } = shop.portal.context;
  const kept = await Promise.all([
    db.selectFrom('mail_outbox').selectAll().execute(),
    db.selectFrom('webhook_events').selectAll().execute(),
    db.selectFrom('license_events').selectAll().execute(),
  ]);
  expect(JSON.stringify(kept)).not.toContain(key);
});

// Guarantee: the same event again, or the same order in another event, creates no second license and no second mail.
test('sent twice', async () => {
  const order = newOrder();
  const first = purchase(order);
  expect(await send(first)).toBe('processed');
  expect(await send(first)).toBe('duplicate');
  expect(await send(purchase(order))).toBe('processed');
  expect(await licensesOf(shop, order)).toHaveLength(1);
  expect(await mailsOf(shop)).toHaveLength(1);
});

// Guarantee: any number of simultaneous deliveries, to two portal processes, create one license; all are answered 200.
test('at the same time', async () => {
  await using second = await openShop(database, shop.masterKey);
  const order = newOrder();
  const once = purchase(order);
  const sent = Array.from({ length: 24 }, (_, index) =>
    (index % 2 ? shop : second).send('generic', index % 3 ? once : purchase(order)),
  );
  for (const { status } of await Promise.all(sent)) expect(status).toBe(200);
  expect(await licensesOf(shop, order)).toHaveLength(1);
});

// Guarantee: a refund or a chargeback revokes every license of the order, including those issued by hand; the buyer is told once.
test.each(['refund', 'chargeback'])('a %s', async (type) => {
  const order = newOrder();
  await send(purchase(order));
  await shop.portal.issue({ purchaseId: order, buyerEmail: 'buyer@example.com' });
  expect(await send(event(order, type))).toBe('processed');
  expect(await send(event(order, type))).toBe('processed');
  const licenses = await licensesOf(shop, order);
  expect(licenses.map(({ status }) => status)).toEqual(['revoked', 'revoked']);
  expect(await mailsOf(shop)).toEqual(['license_issued', 'license_revoked']);
  const bought = await shop.portal.context.db
    .selectFrom('purchases')
    .select('state')
    .where('id', '=', order)
    .executeTakeFirst();
  expect(bought?.state).toBe('refunded');
});

// Guarantee: no license is ever issued for an order whose refund arrived before its purchase.
test('refunded before it was bought', async () => {
  const order = newOrder();
  expect(await send(event(order, 'refund'))).toBe('waiting');
  expect(await send(purchase(order))).toBe('processed');
  expect(await send(purchase(order))).toBe('processed');
  expect(await licensesOf(shop, order)).toHaveLength(0);
  expect(await mailsOf(shop)).toHaveLength(0);
  const [open] = await shop.portal.context.purchases.list({ outcome: 'waiting', limit: 100 });
  expect(open?.purchaseId).not.toBe(order);
});

// Guarantee: a renewal gives the next period, the end of a subscription leaves what was paid for, and the buyer is told of the end once.
test('a subscription', async () => {
  const order = newOrder();
  await send(purchase(order, { periodEnd: '2026-04-01T00:00:00Z' }));
  expect((await licensesOf(shop, order))[0]?.expiresAt).toBe('2026-04-04T00:00:00.000Z');
  await send(event(order, 'subscription.renewed', { periodEnd: '2026-05-01T00:00:00Z' }));
  expect((await licensesOf(shop, order))[0]?.expiresAt).toBe('2026-05-04T00:00:00.000Z');
  const ended = event(order, 'subscription.ended', { periodEnd: '2026-05-01T00:00:00Z' });
  await send(ended);
  await send({ ...ended, id: `${ended.id}-again` });
  const [license] = await licensesOf(shop, order);
  expect(license).toMatchObject({ status: 'active', expiresAt: '2026-05-01T00:00:00.000Z' });
  expect(await mailsOf(shop)).toEqual(['license_issued', 'subscription_ended']);
  expect(await eventsOf(license?.id ?? '')).toEqual([
    'gateway issued',
    'gateway extended',
    'gateway subscription_ended',
  ]);
});

// Guarantee: a license that the vendor extended keeps that time through renewals and the end of the subscription.
test('time given by hand stays', async () => {
  const order = newOrder();
  await send(purchase(order, { periodEnd: '2026-04-01T00:00:00Z' }));
  await shop.portal.context.db
    .updateTable('licenses')
    .set({ expires_at: new Date('2027-01-01T00:00:00Z') })
    .where('purchase_id', '=', order)
    .execute();
  await send(event(order, 'subscription.renewed', { periodEnd: '2026-05-01T00:00:00Z' }));
  await send(event(order, 'subscription.ended', { periodEnd: '2026-05-01T00:00:00Z' }));
  expect((await licensesOf(shop, order))[0]?.expiresAt).toBe('2027-01-01T00:00:00.000Z');
});

// Guarantee: an order that the vendor fulfilled by hand gets no second license.
test('issued by hand before', async () => {
  const order = newOrder();
  await shop.portal.issue({ purchaseId: order, buyerEmail: 'other@example.com' });
  expect(await send(purchase(order))).toBe('processed');
  expect(await licensesOf(shop, order)).toHaveLength(1);
});

// Guarantee: a purchase of an unknown plan is answered 200, kept for the vendor, and fulfilled once the plan exists.
test('an unknown plan', async () => {
  const order = newOrder();
  expect(await send(purchase(order, { plan: 'galactic' }))).toBe('unprocessed');
  const { purchases, plans } = shop.portal.context;
  const [open] = await purchases.list({ outcome: 'unprocessed', limit: 10 });
  expect(open).toMatchObject({ references: [order], reason: 'There is no plan galactic.', plan: 'galactic' });
  expect(await purchases.retry(open?.id ?? '')).toBe('unprocessed');
  await plans.put({ ...standardPlan, id: 'galactic', durationDays: 365 });
  expect(await purchases.retryUnprocessed()).toBe(1);
  expect((await licensesOf(shop, order))[0]?.expiresAt).toBe('2027-03-01T10:00:00.000Z');
  expect(await plans.remove('galactic')).toBe(true);
  expect(await purchases.list({ outcome: 'unprocessed', limit: 10 })).toHaveLength(0);
});

// Guarantee: a purchase that the vendor has set aside gets no license, even if its plan exists by the next payment, and
// does not wait for the vendor again; a refund of it is recorded.
test('a purchase that was set aside', async () => {
  const { purchases, plans } = shop.portal.context;
  const order = newOrder();
  await send(purchase(order, { plan: 'later' }));
  const [open] = await purchases.list({ outcome: 'unprocessed', limit: 1 });
  await purchases.dismiss(open?.id ?? '');
  await plans.put({ ...standardPlan, id: 'later' });
  const renewal = { id: `${order}-renewed`, occurredAt: '2026-03-02T10:00:00Z', orderId: order };
  expect(await send({ ...renewal, type: 'subscription.renewed', periodEnd: '2026-04-02T10:00:00Z' })).toBe(
    'ignored',
  );
  expect(await licensesOf(shop, order)).toHaveLength(0);
  expect(await send({ ...renewal, id: `${order}-refund`, type: 'refund' })).toBe('processed');
});

test('what the vendor sets aside leaves the list', async () => {
  await send(purchase(newOrder(), { plan: 'galactic' }));
  const { purchases } = shop.portal.context;
  const [open] = await purchases.list({ outcome: 'unprocessed', limit: 10 });
  expect(await purchases.dismiss(open?.id ?? '')).toBe(true);
  expect(await purchases.dismiss(open?.id ?? '')).toBe(false);
  expect(await purchases.list({ outcome: 'unprocessed', limit: 10 })).toHaveLength(0);
});

// Guarantee: an event without a current signature of the gateway changes nothing, and the answer reveals nothing about it.
test('forged, old and damaged events', async () => {
  const order = newOrder();
  const body = JSON.stringify(purchase(order));
  const now = shop.clock.now();
  const wrong: [string, string][] = [
    [body, ''],
    [body, signed(body, now, new Secret('x'.repeat(32)))],
    [body, signed(body, new Date(now.getTime() - 301_000), webhookSecret)],
    [body.replace('buyer@', 'thief@'), signed(body, now, webhookSecret)],
    ['{"half":', signed(body, now, webhookSecret)],
  ];
  for (const [sent, signature] of wrong) {
    const answer = await shop.sendRaw('generic', sent, signature);
    expect(answer).toMatchObject({ status: 401, body: { code: 'WEBHOOK_SIGNATURE_INVALID' } });
    expect(JSON.stringify(answer.body)).not.toMatch(/buyer|thief|whsec/);
  }
  // The header of one gateway is no signature for the other.
  const stripe = { 'Stripe-Signature': signed(body, now, webhookSecret) };
  expect((await shop.portal.post(purchasesHttp.generic.path, body, stripe)).status).toBe(401);
  expect(await licensesOf(shop, order)).toHaveLength(0);
});

// Guarantee: a license is issued for what was paid, even if optional fields are unreadable.
test.each([
  ['name', ['', null, 7, '\u202e', 'x'.repeat(121)]],
  ['language', ['', null, 7, 'x'.repeat(36)]],
])('a purchase whose %s is of no use', async (field, values) => {
  for (const value of values) {
    const order = newOrder();
    expect([field, value, await send(purchase(order, { [field]: value }))]).toEqual([
      field,
      value,
      'processed',
    ]);
    expect(await licensesOf(shop, order)).toHaveLength(1);
  }
});

// Guarantee: a signed event that is not as documented gets a 400 that repeats nothing of it; one that is too large gets
// a 413, before any work.
test('signed garbage and huge bodies', async () => {
  const bodies = [
    'secret-word',
    '[]',
    'null',
    '{"id":"\\u0000"}',
    JSON.stringify(purchase('x', { extra: 'secret-word' })),
    JSON.stringify(purchase('x', { email: 'a@example.com\r\nBcc: secret-word@example.com' })),
    JSON.stringify(purchase('x', { plan: 'Secret-Word!' })),
    JSON.stringify(event('x', 'subscription.renewed')),
    JSON.stringify(event('x', 'secret-word')),
  ];
  for (const body of bodies) {
    const answer = await shop.sendRaw('generic', body, signed(body, shop.clock.now(), webhookSecret));
    expect(answer.status, body).toBe(400);
    expect(JSON.stringify(answer.body).toLowerCase()).not.toContain('secret-word');
  }
  const huge = JSON.stringify({ padding: 'x'.repeat(300_000) });
  expect((await shop.sendRaw('generic', huge, signed(huge, shop.clock.now(), webhookSecret))).status).toBe(
    413,
  );
});

// Guarantee: a signed event is not lost for a character that cannot be stored.
test('characters that cannot be stored', async () => {
  const order = newOrder();
  const body = JSON.stringify(purchase(order, { name: 'Zoe' })).replace('Zoe', 'Z\\u0000o\\ud800e');
  const answer = await shop.sendRaw('generic', body, signed(body, shop.clock.now(), webhookSecret));
  expect([answer.status, answer.body]).toEqual([200, { status: 'processed' }]);
  expect(await licensesOf(shop, order)).toHaveLength(1);
});

// Guarantee: a portal without a secret accepts no events at all.
test('no secret, no webhook', async () => {
  await using portal = await startTestPortal({ databaseUrl: database.url, masterKey: shop.masterKey });
  const body = JSON.stringify(purchase(newOrder()));
  const header = { 'Castellan-Signature': signed(body, new Date(), new Secret('')) };
  expect((await portal.post(purchasesHttp.generic.path, body, header)).status).toBe(404);
  expect(webhookSecret.reveal()).not.toBe('');
});
