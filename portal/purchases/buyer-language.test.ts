import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { mailsTo } from '#harness/mailbox.ts';
import { portalDatabase } from '#harness/portal.ts';
import { openShop, type Shop } from './testing/shop.ts';
import { checkoutCompleted } from './testing/stripe-events.ts';

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

const subjectsTo = async (email: string) =>
  (await mailsTo(shop.portal.context, shop.masterKey, email)).map(({ subject }) => subject);

const english = 'Your Castellan license key';
const portuguese = 'Sua chave de licença do Castellan';

// Guarantee: a buyer's mails are in the language of the shop, and in both if the shop names none that is supported.
test.each([
  ['pt-BR', portuguese],
  ['pt', portuguese],
  ['en-GB', english],
  ['auto', `${english} · ${portuguese}`],
  ['de', `${english} · ${portuguese}`],
])('bought in %s', async (language, subject) => {
  const orderId = `order-${language}`;
  const email = `${orderId}@example.com`;
  const purchase = {
    type: 'purchase',
    occurredAt: '2026-03-01T10:00:00Z',
    email,
    plan: 'standard',
    language,
  };
  await shop.send('generic', { ...purchase, id: `event-${language}`, orderId });
  expect(await subjectsTo(email)).toEqual([subject]);

  const customer_email = `stripe-${email}`;
  const sale = { session: `cs_${language}`, paymentIntent: `pi_${language}`, plan: 'standard' };
  await shop.send(
    'stripe',
    checkoutCompleted(sale, { locale: language, customer_details: null, customer_email }),
  );
  expect(await subjectsTo(customer_email)).toEqual([subject]);
});

// Guarantee: later mails about an order are in the language in which it was bought.
test('a refund', async () => {
  const email = 'refunded@example.com';
  const event = { occurredAt: '2026-03-01T10:00:00Z', orderId: 'order-refunded' };
  const bought = {
    ...event,
    id: 'event-bought',
    type: 'purchase',
    email,
    plan: 'standard',
    language: 'pt-BR',
  };
  await shop.send('generic', bought);
  await shop.send('generic', { ...event, id: 'event-refunded', type: 'refund' });
  expect(await subjectsTo(email)).toEqual([portuguese, 'Sua licença do Castellan foi revogada']);
});
