import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { portalDatabase } from '#harness/portal.ts';
import { licensesOf, mailsOf, openShop, type Shop } from './testing/shop.ts';
import {
  chargeRefunded,
  checkoutCompleted,
  disputeCreated,
  emailOfBuyer,
  invoicePaid,
  invoicePaymentPaid,
  olderInvoicePaid,
  subscriptionDeleted,
} from './testing/stripe-events.ts';

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

const send = async (event: object) => {
  const answer = await shop.send('stripe', event);
  return answer.status === 200 ? answer.body.status : answer.status;
};
let serial = 0;
const newIds = () => {
  serial += 1;
  const id = `1Rabcd${String(serial).padStart(6, '0')}`;
  return {
    session: `cs_live_${id}`,
    paymentIntent: `pi_${id}`,
    subscription: `sub_${id}`,
    invoice: `in_${id}`,
    plan: 'standard',
  };
};
const single = () => {
  const { session, paymentIntent, plan } = newIds();
  return { session, paymentIntent, plan };
};
const recurring = () => {
  const { session, subscription, invoice, plan } = newIds();
  return { session, subscription, invoice, plan };
};
const expiryOf = async (order: string) => (await licensesOf(shop, order))[0]?.expiresAt;
const statusesOf = async (order: string) => (await licensesOf(shop, order)).map(({ status }) => status);

// Guarantee: a paid checkout gives a license for the address entered there; neither card data nor the postal address is stored.
test('checkout.session.completed', async () => {
  const sale = single();
  expect(await send(checkoutCompleted(sale))).toBe('processed');
  const [license] = await licensesOf(shop, sale.paymentIntent);
  expect(license).toMatchObject({ status: 'active', buyerEmail: emailOfBuyer, expiresAt: null });
  expect(await mailsOf(shop)).toEqual(['license_issued']);
  const kept = await shop.portal.context.db.selectFrom('webhook_events').selectAll().execute();
  expect(JSON.stringify(kept)).not.toMatch(/Jenny Rosen|10115|4242/);
});

// Guarantee: no one gets a license before the money has arrived.
test('a payment that is still under way', async () => {
  const sale = single();
  expect(await send(checkoutCompleted(sale, { payment_status: 'unpaid' }))).toBe('ignored');
  expect(await statusesOf(sale.paymentIntent)).toEqual([]);
  const paid = { ...checkoutCompleted(sale), type: 'checkout.session.async_payment_succeeded' };
  expect(await send(paid)).toBe('processed');
  expect(await statusesOf(sale.paymentIntent)).toEqual(['active']);
});

// Guarantee: a full refund revokes, a partial one does not; a dispute does, an inquiry or a blocked dispute does not.
test('charge.refunded and charge.dispute.created', async () => {
  const refunded = single();
  await send(checkoutCompleted(refunded));
  expect(await send(chargeRefunded(refunded.paymentIntent, 'part'))).toBe('ignored');
  expect(await statusesOf(refunded.paymentIntent)).toEqual(['active']);
  expect(await send(chargeRefunded(refunded.paymentIntent))).toBe('processed');
  expect(await statusesOf(refunded.paymentIntent)).toEqual(['revoked']);

  const disputed = single();
  await send(checkoutCompleted(disputed));
  expect(await send(disputeCreated(disputed.paymentIntent, 'warning_needs_response'))).toBe('ignored');
  expect(await send(disputeCreated(disputed.paymentIntent, 'prevented', 'block'))).toBe('ignored');
  expect(await statusesOf(disputed.paymentIntent)).toEqual(['active']);
  expect(await send(disputeCreated(disputed.paymentIntent))).toBe('processed');
  expect(await statusesOf(disputed.paymentIntent)).toEqual(['revoked']);
});

// Guarantee: a subscription lasts as long as its invoices are paid: not by the previous period, not beyond what is paid.
test('invoice.paid and customer.subscription.deleted', async () => {
  const sale = recurring();
  const { subscription, invoice } = sale;
  await send(checkoutCompleted(sale));
  expect(await expiryOf(subscription)).toBe('2026-03-04T00:00:00.000Z');
  expect(await send(invoicePaid({ invoice, subscription, end: '2026-04-01' }))).toBe('processed');
  expect(await expiryOf(subscription)).toBe('2026-04-04T00:00:00.000Z');
  await send(invoicePaid({ invoice: `${invoice}2`, subscription, end: '2026-05-01' }));
  expect(await expiryOf(subscription)).toBe('2026-05-04T00:00:00.000Z');
  // Stripe ended it for lack of payment: the period that had begun is not given.
  expect(await send(subscriptionDeleted(subscription, '2026-06-01'))).toBe('processed');
  expect(await expiryOf(subscription)).toBe('2026-05-01T00:00:00.000Z');
  expect(await statusesOf(subscription)).toEqual(['active']);
});

// Guarantee: a refund of a subscription's payment finds its order through ids that other events tie together, in
// whatever order they arrive.
test.each(['link first', 'refund first'])('a refunded subscription, %s', async (sequence) => {
  const sale = recurring();
  const paymentIntent = `pi_of_${sale.invoice}`;
  await send(checkoutCompleted(sale));
  await send(invoicePaid({ invoice: sale.invoice, subscription: sale.subscription, end: '2026-04-01' }));
  const events = [invoicePaymentPaid(sale.invoice, paymentIntent), chargeRefunded(paymentIntent)];
  for (const event of sequence === 'link first' ? events : events.reverse()) await send(event);
  expect(await statusesOf(sale.subscription)).toEqual(['revoked']);
});

test('the shapes of older API versions', async () => {
  const sale = recurring();
  const { subscription, invoice } = sale;
  const paymentIntent = `pi_of_${invoice}`;
  await send(olderInvoicePaid({ invoice, subscription, paymentIntent, end: '2026-04-01' }));
  await send(checkoutCompleted(sale));
  expect(await expiryOf(subscription)).toBe('2026-04-04T00:00:00.000Z');
  await send(chargeRefunded(paymentIntent));
  expect(await statusesOf(subscription)).toEqual(['revoked']);
});

// Guarantee: events of other products, and of unused types, are answered 200 and do no harm.
test('what is not ours', async () => {
  const { plan: _plan, ...other } = single();
  expect(await send(checkoutCompleted(other))).toBe('unprocessed');
  expect(await send({ ...checkoutCompleted(other), type: 'customer.created' })).toBe('ignored');
  expect(await send({ ...checkoutCompleted(other), type: 'constructor' })).toBe('ignored');
  expect(await send(chargeRefunded('pi_of_another_product'))).toBe('waiting');
  expect(await statusesOf(other.paymentIntent)).toEqual([]);
});

// Guarantee: an unknown shape is refused, so that Stripe shows it and sends it again.
test('an unknown shape', async () => {
  const event = checkoutCompleted(single(), { mode: 'barter' });
  expect(await send(event)).toBe(400);
  expect(await send({ ...event, data: { object: 'x' } })).toBe(400);
  expect(await send({ ...event, created: 1e20 })).toBe(400);
});

// Guarantee: a purchase with an address that cannot receive mail is left to the vendor, not to chance.
test('an unusable address', async () => {
  const sale = single();
  const hostile = { customer_details: { email: 'a@example.com\r\nBcc: b@example.com' } };
  expect(await send(checkoutCompleted(sale, hostile))).toBe('unprocessed');
  expect(await statusesOf(sale.paymentIntent)).toEqual([]);
  expect(await mailsOf(shop)).toEqual([]);
});
