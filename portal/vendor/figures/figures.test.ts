import { afterAll, beforeAll, expect, test } from 'vitest';
import { purchasesHttp } from '#contracts/portal/purchases.ts';
import type { TestDatabase } from '#harness/database.ts';
import { portalDatabase } from '#harness/portal.ts';
import { licensesOf, openShop, type Shop } from '../../purchases/testing/shop.ts';
import {
  chargeRefunded,
  checkoutCompleted,
  day,
  disputeCreated,
  invoicePaid,
  invoicePaymentPaid,
} from '../../purchases/testing/stripe-events.ts';
import { stepsAhead, stepsBack } from './figure-steps.ts';
import { readExpiring, readLicenseFlow } from './read-license-flow.ts';
import { readSales } from './read-sales.ts';

let database: TestDatabase;
let shop: Shop;
beforeAll(async () => {
  database = await portalDatabase();
  shop = await openShop(database);
});
afterAll(async () => {
  await shop?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const db = () => shop.portal.context.db;
const salesAt = async (now: string, timeZone = 'UTC', days: 30 | 90 | 365 = 30) => {
  const steps = await stepsBack(db(), days, timeZone, new Date(now));
  const { currencies, unpriced } = await readSales(db(), steps);
  return {
    unpriced,
    totals: currencies.map(({ currency, total }) => [currency, total.paid, total.returned, total.payments]),
    /** The days with any movement. */
    of: (currency: string) =>
      (currencies.find((known) => known.currency === currency)?.steps ?? []).flatMap(
        ({ paid, returned }, step) =>
          paid > 0n || returned > 0n ? [[steps.days[step], paid, returned]] : [],
      ),
  };
};

let serial = 0;
const sell = async (event: object) => {
  serial += 1;
  const answer = await shop.send('generic', {
    id: `evt-${serial}`,
    occurredAt: '2026-03-10T12:00:00Z',
    ...event,
  });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
};
const purchase = (orderId: string, at: string, amount?: object, more: object = {}) =>
  sell({
    type: 'purchase',
    orderId,
    email: `${orderId}@example.com`.toLowerCase(),
    plan: 'standard',
    occurredAt: at,
    ...(amount ? { amount } : {}),
    ...more,
  });

// Guarantee: a day is the day of the zone, even if it has 23 or 25 hours, or begins at one in the morning.
test('days of a zone', async () => {
  const berlin = await stepsBack(db(), 30, 'Europe/Berlin', new Date('2026-03-30T22:30:00Z'));
  expect([berlin.days[0], berlin.days.at(-1), berlin.days.length]).toEqual(['2026-03-02', '2026-03-31', 30]);
  const [sunday, monday] = [berlin.days.indexOf('2026-03-29'), berlin.days.indexOf('2026-03-30')];
  const hours = (step: number) =>
    ((berlin.bounds[step + 1]?.getTime() ?? 0) - (berlin.bounds[step]?.getTime() ?? 0)) / 3_600_000;
  expect([hours(sunday), hours(monday)]).toEqual([23, 24]);
  const autumn = await stepsBack(db(), 30, 'Europe/Berlin', new Date('2026-10-26T12:00:00Z'));
  const change = autumn.days.indexOf('2026-10-25');
  expect(
    ((autumn.bounds[change + 1]?.getTime() ?? 0) - (autumn.bounds[change]?.getTime() ?? 0)) / 3_600_000,
  ).toBe(25);
  // In 2018 São Paulo went from 23:59:59 to 01:00.
  const paulo = await stepsBack(db(), 30, 'America/Sao_Paulo', new Date('2018-11-05T12:00:00Z'));
  expect(paulo.bounds[paulo.days.indexOf('2018-11-04')]?.toISOString()).toBe('2018-11-04T03:00:00.000Z');
  const year = await stepsBack(db(), 365, 'UTC', new Date('2026-03-15T00:00:00Z'));
  expect([year.days[0], year.days[1], year.days.at(-1)]).toEqual(['2025-03-16', '2025-04-01', '2026-03-01']);
});

// Guarantee: sales are separated by currency, on the day of the zone, each payment once; a refund is subtracted on its own day.
test('a shop of one’s own', async () => {
  expect((await salesAt('2026-03-31T12:00:00Z')).totals).toEqual([]);
  await purchase('A', '2026-03-10T23:30:00Z', { minor: 4900, currency: 'EUR' });
  await purchase('A', '2026-03-10T23:30:00Z', { minor: 4900, currency: 'EUR' });
  await purchase('B', '2026-03-11T00:30:00Z', { minor: 980, currency: 'JPY' });
  await purchase('C', '2026-03-12T00:30:00Z');
  await sell({
    type: 'subscription.renewed',
    orderId: 'A',
    periodEnd: '2026-05-01T00:00:00Z',
    occurredAt: '2026-03-20T10:00:00Z',
    amount: { minor: 100, currency: 'EUR' },
  });
  const utc = await salesAt('2026-03-31T12:00:00Z');
  expect(utc.totals).toEqual([
    ['EUR', 5000n, 0n, 2],
    ['JPY', 980n, 0n, 1],
  ]);
  expect(utc.unpriced).toBe(1);
  expect(utc.of('EUR')).toEqual([
    ['2026-03-10', 4900n, 0n],
    ['2026-03-20', 100n, 0n],
  ]);
  const tokyo = await salesAt('2026-03-31T12:00:00Z', 'Asia/Tokyo');
  expect(tokyo.of('EUR')[0]).toEqual(['2026-03-11', 4900n, 0n]);
  // A part, then the rest without an amount, reported twice.
  const back = { type: 'refund', orderId: 'A' };
  await sell({ ...back, occurredAt: '2026-03-21T10:00:00Z', amount: { minor: 1000, currency: 'EUR' } });
  await sell({ ...back, occurredAt: '2026-03-22T10:00:00Z' });
  await sell({ ...back, type: 'chargeback', occurredAt: '2026-03-23T10:00:00Z' });
  expect((await salesAt('2026-03-31T12:00:00Z')).of('EUR').slice(2)).toEqual([
    ['2026-03-21', 0n, 1000n],
    ['2026-03-22', 0n, 4000n],
  ]);
  // Months later only the refund is in the range, and its payment is still found.
  expect((await salesAt('2026-04-20T12:00:00Z')).totals[0]).toEqual(['EUR', 0n, 4000n, 0]);
});

// Guarantee: Stripe's amounts count once however many events report them, partial refunds are not added up twice, and
// an order that the vendor set aside does not count.
test('Stripe', async () => {
  const now = '2025-12-31T12:00:00Z';
  const at = (event: object, date: string) => ({ ...event, created: day(date) });
  const currency = 'usd';
  const sale = { session: 'cs_1', paymentIntent: 'pi_1', plan: 'standard' };
  await shop.send('stripe', at(checkoutCompleted(sale), '2025-12-10'));
  await shop.send('stripe', {
    ...at(checkoutCompleted(sale), '2025-12-11'),
    type: 'checkout.session.async_payment_succeeded',
  });
  const subscribed = { session: 'cs_2', subscription: 'sub_2', invoice: 'in_2', plan: 'standard' };
  await shop.send('stripe', at(checkoutCompleted(subscribed), '2025-12-12'));
  const paid = invoicePaid({ invoice: 'in_2', subscription: 'sub_2', end: '2026-01-12' });
  await shop.send(
    'stripe',
    at({ ...paid, data: { object: { ...paid.data.object, currency } } }, '2025-12-12'),
  );
  await shop.send(
    'stripe',
    at(checkoutCompleted({ session: 'cs_3', paymentIntent: 'pi_3', plan: 'none' }), '2025-12-13'),
  );
  expect((await salesAt(now)).totals).toEqual([['USD', 4900n + 900n + 4900n, 0n, 3]]);
  const [{ id = '' } = {}] = await shop.portal.context.purchases.list({ outcome: 'unprocessed', limit: 1 });
  await shop.portal.context.purchases.dismiss(id);
  expect((await salesAt(now)).totals).toEqual([['USD', 5800n, 0n, 2]]);

  const refund = (refunded: number, whole: 'whole' | 'part', intent = 'pi_1') => {
    const event = chargeRefunded(intent, whole);
    return { ...event, data: { object: { ...event.data.object, amount_refunded: refunded, currency } } };
  };
  // The later one arrives first.
  await shop.send('stripe', at(refund(1500, 'part'), '2025-12-16'));
  await shop.send('stripe', at(refund(1000, 'part'), '2025-12-15'));
  await shop.send('stripe', at(refund(1000, 'part'), '2025-12-15'));
  await shop.send('stripe', at(refund(4900, 'whole'), '2025-12-17'));
  await shop.send('stripe', at(refund(4900, 'whole', 'pi_3'), '2025-12-18'));
  expect((await salesAt(now)).of('USD').slice(2)).toEqual([
    ['2025-12-15', 0n, 1000n],
    ['2025-12-16', 0n, 500n],
    ['2025-12-17', 0n, 3400n],
  ]);
  await shop.send('stripe', at(disputeCreated('pi_9', 'warning_needs_response'), '2025-12-19'));
  await shop.send('stripe', at(disputeCreated('pi_9'), '2025-12-20'));
  expect((await salesAt(now)).totals).toEqual([['USD', 5800n, 9800n, 2]]);
});

// Guarantee: an order counts as set aside by the rule that settles it: including all that other events tie to it, and
// only while none of its purchases is accepted.
test('orders that were set aside', async () => {
  const { purchases } = shop.portal.context;
  const dismissNewest = async () => {
    const [{ id = '' } = {}] = await purchases.list({ outcome: 'unprocessed', limit: 1 });
    expect(await purchases.dismiss(id)).toBe(true);
  };
  const now = '2025-09-30T12:00:00Z';
  const at = (event: { readonly data: { readonly object: object } }, changes: object = {}) => ({
    ...event,
    created: day('2025-09-10'),
    data: { object: { ...event.data.object, currency: 'usd', ...changes } },
  });
  // In API versions since 2025-03-31, only the payment of its invoice ties the refund to the checkout.
  const sale = { session: 'cs_7', subscription: 'sub_7', invoice: 'in_7', plan: 'none' };
  await shop.send('stripe', at(checkoutCompleted(sale)));
  await dismissNewest();
  const period = { invoice: 'in_7', subscription: 'sub_7', end: '2025-10-10' };
  await shop.send('stripe', at(invoicePaid(period)));
  await shop.send('stripe', at(invoicePaid({ ...period, invoice: 'in_7b' }), { amount_paid: null }));
  await shop.send('stripe', at(invoicePaymentPaid('in_7', 'pi_7')));
  await shop.send('stripe', at(chargeRefunded('pi_7')));
  expect(await salesAt(now)).toMatchObject({ totals: [], unpriced: 0 });

  // Bought under a wrong plan name, set aside, and sent again under the right one.
  const amount = { minor: 4900, currency: 'EUR' };
  const renewed = (periodEnd: string) =>
    sell({ type: 'subscription.renewed', orderId: 'D', periodEnd, occurredAt: '2025-09-20T12:00:00Z' });
  await purchase('D', '2025-09-12T12:00:00Z', amount, { plan: 'stanard' });
  await dismissNewest();
  await renewed('2025-10-12T12:00:00Z');
  expect(await salesAt(now)).toMatchObject({ totals: [], unpriced: 0 });
  await purchase('D', '2025-09-13T12:00:00Z', amount);
  expect(await salesAt(now)).toMatchObject({ totals: [['EUR', 4900n, 0n, 1]], unpriced: 1 });
});

// Guarantee: the first period of a subscription counts once, whether it is reported as a purchase, as a renewal, or as both.
test('a first period that is told of twice', async () => {
  const amount = { minor: 700, currency: 'EUR' };
  const first = { periodEnd: '2025-08-01T00:00:00Z' };
  const occurredAt = '2025-07-01T12:00:00Z';
  const renewed = (periodEnd: string) =>
    sell({ type: 'subscription.renewed', orderId: 'E', periodEnd, occurredAt, amount });
  await purchase('E', occurredAt, amount, first);
  await renewed('2025-08-01T02:00:00+02:00');
  await purchase('E', occurredAt, amount, first);
  expect((await salesAt('2025-07-20T12:00:00Z')).totals).toEqual([['EUR', 700n, 0n, 1]]);
  await renewed('2025-09-01T00:00:00Z');
  await sell({ type: 'refund', orderId: 'E', occurredAt });
  expect((await salesAt('2025-07-20T12:00:00Z')).totals).toEqual([['EUR', 1400n, 1400n, 2]]);
});

// Guarantee: a license is due for what was paid even if the amount is invalid; the page counts it among payments without an amount.
test.each([
  null,
  { minor: 4900, currency: 'eur' },
  { minor: 49.5, currency: 'EUR' },
  { minor: 1e13, currency: 'EUR' },
])('a payment of %j', async (amount) => {
  const before = await salesAt('2025-05-31T12:00:00Z');
  serial += 1;
  const orderId = `odd-${serial}`;
  const occurredAt = '2025-05-10T12:00:00Z';
  const buyer = { email: 'odd@example.com', plan: 'standard' };
  await sell({ type: 'purchase', orderId, occurredAt, ...buyer, amount });
  await sell({
    type: 'subscription.renewed',
    orderId,
    occurredAt,
    periodEnd: '2025-06-10T12:00:00Z',
    amount,
  });
  const after = await salesAt('2025-05-31T12:00:00Z');
  expect([after.totals, after.unpriced - before.unpriced]).toEqual([[], 2]);
  expect(await licensesOf(shop, orderId)).toHaveLength(1);
});

// Guarantee: a refunded amount that is no whole number of minor units of a currency is refused, and nothing of its event is stored.
test.each([
  { minor: 49.5, currency: 'EUR' },
  { minor: -1, currency: 'EUR' },
  { minor: 1, currency: 'eur' },
  { minor: 1, currency: 'EURO' },
  { minor: '49', currency: 'EUR' },
  { minor: 1 },
  { minor: 1e13, currency: 'EUR' },
])('%j', async (amount) => {
  const event = { id: 'bad', type: 'refund', occurredAt: '2026-03-10T12:00:00Z', orderId: 'bad', amount };
  expect([(await shop.send('generic', event)).status, purchasesHttp.generic.method]).toEqual([400, 'POST']);
  const { rows } = await shop.portal.context.pool.query(`select from webhook_events where event_id = 'bad'`);
  expect(rows).toEqual([]);
});

// Guarantee: what was active on a day follows from what happened to each license, and each license is lost once.
test('licenses', async () => {
  await using own = await portalDatabase();
  await using desk = await openShop(own);
  const { context } = desk.portal;
  const { clock } = desk;
  const dayMs = 86_400_000;
  const flow = async (timeZone = 'UTC') => {
    const steps = await stepsBack(context.db, 30, timeZone, clock.now());
    const rows = await readLicenseFlow(context.db, steps, clock.now());
    return { rows, days: steps.days, last: rows.at(-1) };
  };
  expect((await flow()).last).toEqual({ active: 0, issued: 0, ended: 0, refunded: 0, revoked: 0 });
  const inDays = (days: number) => new Date(clock.now().getTime() + days * dayMs);
  // Issued on 1 March: without an end, 3 days, 3 days and extended, one to suspend, one to revoke, one of a refunded order.
  await desk.portal.issue({ expiresAt: new Date(Date.UTC(9999, 11, 32)) });
  await desk.portal.issue({ expiresAt: inDays(3) });
  const extended = await desk.portal.issue({ expiresAt: inDays(3) });
  const suspended = await desk.portal.issue();
  const revoked = await desk.portal.issue();
  await desk.send('generic', {
    id: 'sold',
    type: 'purchase',
    orderId: 'refunded',
    email: 'buyer@example.com',
    plan: 'standard',
    occurredAt: clock.now().toISOString(),
  });
  expect((await flow()).last).toEqual({ active: 6, issued: 6, ended: 0, refunded: 0, revoked: 0 });
  clock.pass(2 * dayMs);
  await context.vendor.suspend(suspended.id, 'Unpaid.');
  clock.pass(2 * dayMs);
  // It had expired a day before, so it was not active on that day.
  await context.vendor.extend(extended.id, { days: 10 });
  await context.vendor.resume(suspended.id);
  clock.pass(dayMs);
  await context.vendor.revoke(revoked.id, 'Sold on.');
  await desk.send('generic', {
    id: 'back',
    type: 'refund',
    orderId: 'refunded',
    occurredAt: clock.now().toISOString(),
  });
  await context.vendor.extend((await desk.portal.issue({ expiresAt: inDays(5) })).id, {
    until: new Date(Date.UTC(9999, 11, 32)),
  });
  clock.pass(dayMs);
  const { rows, days } = await flow();
  const of = (date: string) => rows[days.indexOf(date)];
  expect(
    ['2026-03-01', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'].map((date) => of(date)?.active),
  ).toEqual([6, 5, 3, 5, 4]);
  expect(of('2026-03-04')).toMatchObject({ ended: 1 });
  expect(of('2026-03-06')).toMatchObject({ issued: 1, refunded: 1, revoked: 1 });
  expect(rows.reduce((sum, { ended }) => sum + ended, 0)).toBe(1);
  // The current rows match the last step.
  const { rows: present } = await context.pool.query(
    `select count(*)::int as active from licenses where status = 'active' and (expires_at > $1) is not false`,
    [clock.now()],
  );
  expect(rows.at(-1)?.active).toBe(present[0].active);
  // The extended one ends on 15 March: at noon in UTC, and on the next day in Auckland.
  const ahead = async (timeZone: string) => {
    const steps = await stepsAhead(context.db, 30, timeZone, clock.now());
    const counts = await readExpiring(context.db, steps, clock.now());
    return steps.days.filter((_, step) => counts[step]);
  };
  expect([await ahead('UTC'), await ahead('Pacific/Auckland')]).toEqual([['2026-03-15'], ['2026-03-16']]);
});
