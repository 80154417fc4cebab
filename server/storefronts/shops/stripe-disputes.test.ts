import { afterAll, beforeAll, expect, test } from 'vitest';
import { stripeDispute, stripeSession } from './testing/documented-events.ts';
import { type ProductsOfAShop, productsOfAShop } from './testing/products-of-a-shop.ts';
import { type ShopsOfATest, shopsOfATest } from './testing/shops-of-a-test.ts';

let play: ShopsOfATest;
let goods: ProductsOfAShop;
beforeAll(async () => {
  play = await shopsOfATest();
  goods = await productsOfAShop(play);
});
afterAll(() => play[Symbol.asyncDispose]());

/** An order that was given and about which the buyer's bank has inquired. */
const inquiredOrder = async (session: string) => {
  const shop = await play.newShop('stripe', {}, [{ key: 'vip', productId: goods.diamonds.id, quantity: 1 }]);
  const { platformId } = await play.newPlayer();
  const metadata = { castellan_product: 'vip', castellan_player: platformId };
  await play.send(shop, stripeSession(session, { metadata }));
  await play.send(shop, stripeDispute(session, 'created', 'warning_needs_response'));
  expect(await play.order(session)).toMatchObject({ state: 'given' });
  return shop;
};

// Guarantee: an inquiry that becomes a chargeback takes back immediately, whichever event reports it first.
test.each(['updated', 'funds_withdrawn'] as const)(
  'an inquiry that becomes a chargeback: %s',
  async (type) => {
    const session = `cs_${type}`;
    const shop = await inquiredOrder(session);
    await play.send(shop, stripeDispute(session, type, 'needs_response'));
    expect(await play.order(session)).toMatchObject({ state: 'taken-back', reason: 'disputed' });
    await play.send(shop, stripeDispute(session, 'closed', 'won'));
    await play.send(shop, stripeDispute(session, 'funds_reinstated', 'won'));
    // A late event does not reopen a dispute that is over.
    await play.send(shop, stripeDispute(session, 'updated', 'under_review'));
    expect(await play.order(session)).toMatchObject({ state: 'person', reason: 'dispute-won' });
  },
);

// Guarantee: news about an inquiry takes nothing back.
test('an inquiry that is answered', async () => {
  const shop = await inquiredOrder('cs_answered');
  await play.send(shop, stripeDispute('cs_answered', 'updated', 'warning_under_review'));
  await play.send(shop, stripeDispute('cs_answered', 'closed', 'warning_closed'));
  expect(await play.order('cs_answered')).toMatchObject({ state: 'given' });
});

// Guarantee: an event that an earlier version kept without reading it takes effect when Stripe sends it again, once.
test('an event that an earlier version could not read', async () => {
  const shop = await inquiredOrder('cs_unread');
  const event = stripeDispute('cs_unread', 'funds_withdrawn', 'needs_response');
  await play.store.query(
    `insert into shop_events (shop_id, event_id, type, digest, refs, facts)
     values ($1, $2, $3, '\\x00', '{}', '{"kind": "nothing"}')`,
    [shop.id, event.id, event.type],
  );
  expect((await play.send(shop, event)).status).toBe(200);
  expect(await play.order('cs_unread')).toMatchObject({ state: 'taken-back' });
  expect((await play.send(shop, event)).status).toBe(200);
  const [kept] = (await play.shops.settings.list()).filter(({ id }) => id === shop.id);
  expect(kept?.conflicts).toBe(0);
});
