import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShopOrder } from '#contracts/storefronts/shops.ts';
import { eraseMember } from '../../people/members/erase-member.ts';
import { cancelExpired } from '../../store/deliveries/expiry.ts';
import { byOwner, granted } from '../../store/orders/testing/store-of-a-test.ts';
import { genericEvent, genericPaid } from './testing/documented-events.ts';
import { type ProductsOfAShop, productsOfAShop, vip } from './testing/products-of-a-shop.ts';
import { type ShopsOfATest, shopsOfATest } from './testing/shops-of-a-test.ts';

let play: ShopsOfATest;
let goods: ProductsOfAShop;
beforeAll(async () => {
  play = await shopsOfATest();
  goods = await productsOfAShop(play);
});
afterAll(() => play[Symbol.asyncDispose]());

const gold = (quantity: number) => ({ product: 'gold', quantity });

const bought = async (externalId: string, lines: readonly { product: string; quantity: number }[]) => {
  const shop = await goods.newShop();
  const { receiver, memberId } = await goods.someone();
  await play.send(shop, genericPaid(externalId, lines, receiver));
  return { shop, memberId, order: await play.order(externalId) };
};
/** Deliveries that were not undone, across all the store orders. */
const openOf = async (externalId: string, item: string): Promise<readonly string[]> => {
  const rows = await play.store.query<{ id: string }>(
    `select delivery.id from shop_orders as wanted
       join order_requests as request on request.key like 'shop-order:' || wanted.id || ':%'
       join deliveries as delivery on delivery.order_id = request.order_id
      where wanted.external_id = $1 and delivery.line ->> 'item' = $2 and delivery.refunded_at is null
      order by delivery.number`,
    [externalId, `minecraft:${item}`],
  );
  return rows.map(({ id }) => id);
};
/** Fails a delivery for good, like the engine. */
const fail = async (id: string) => {
  await play.store.query(`update deliveries set state = 'failed', ended_at = now() where id = $1`, [id]);
  await play.store.query(`select castellan_refund_delivery($1, 'test', null)`, [id]);
};
const failAll = async (ids: readonly string[]) => {
  for (const id of ids) await fail(id);
};
const giveAgain = async ({ id, version }: ShopOrder) =>
  granted(await play.shops.orders.give(id, version, byOwner));

// Guarantee: what was paid for outside does not expire; what was paid in points does.
test('a player who does not join for a year', async () => {
  await bought('patient', [vip]);
  const [delivery] = await openOf('patient', 'diamond');
  const expiresAt = (id: string | undefined) =>
    play.store.query('select expires_at from deliveries where id = $1', [id]);
  expect(await expiresAt(delivery)).toEqual([{ expires_at: null }]);
  const memberId = await play.store.newMember(100);
  const placed = granted(
    await play.store.orders.place(
      { memberId, isTest: false, lines: [{ productId: goods.diamonds.id, quantity: 1 }] },
      null,
      byOwner,
    ),
  );
  await play.store.query(`update deliveries set expires_at = now() - interval '1 day' where order_id = $1`, [
    placed.id,
  ]);
  await cancelExpired(play.store.database.db);
  expect(granted(await play.store.orders.read(placed.id)).deliveries).toMatchObject([{ state: 'cancelled' }]);
  expect(await goods.held('patient')).toHaveLength(1);
});

// Guarantee: a person is told once about an order whose delivery failed; exactly what was lost is given again, and a refund
// takes back all of it.
test('a delivery that fails', async () => {
  const { shop, memberId } = await bought('failing', [vip, gold(2)]);
  const [diamond = ''] = await openOf('failing', 'diamond');
  await play.store.setState(await openOf('failing', 'gold_ingot'), 'delivered');
  await fail(diamond);
  await play.shops.sweep();
  await play.shops.sweep();
  const waiting = await play.order('failing');
  expect(waiting).toMatchObject({ state: 'person', reason: 'not-delivered', detail: 'vip' });
  const told = await play.store.query(
    `select 1 from event_logs where kind = 'shop.order-waits' and payload ->> 'order' = 'failing'`,
  );
  expect(told).toHaveLength(1);

  const again = await giveAgain(waiting);
  expect(again).toMatchObject({ state: 'given', memberId, orderId: waiting.orderId });
  expect(await openOf('failing', 'diamond')).toHaveLength(1);
  expect(await goods.held('failing')).toEqual(['minecraft:gold_ingot', 'minecraft:diamond']);
  await play.shops.sweep();
  expect(await play.order('failing')).toMatchObject({ state: 'given' });

  await play.send(shop, genericEvent('refunded', 'failing'));
  expect(await play.order('failing')).toMatchObject({ state: 'taken-back' });
  expect(await goods.held('failing')).toEqual([]);
});

// Guarantee: what fails again is asked about again, and each piece is given again separately.
test('a delivery that fails twice', async () => {
  const warp = await play.store.newProduct({
    lines: [{ kind: 'command', command: 'warp {player}', success: ['Warped'] }],
  });
  const shop = await play.newShop('generic', {}, [{ key: 'warp', productId: warp.id, quantity: 1 }]);
  const { receiver } = await goods.someone();
  await play.send(shop, genericPaid('failing-twice', [{ product: 'warp', quantity: 4 }], receiver));
  const pieces = async () =>
    play.store.query<{ id: string }>(
      `select id from deliveries where refunded_at is null and order_line_id in (
         select id from order_lines where product_id = $1) order by number`,
      [warp.id],
    );
  const [first, second] = await pieces();
  await failAll([first?.id ?? '', second?.id ?? '']);
  await play.shops.sweep();
  await giveAgain(await play.order('failing-twice'));
  expect(await pieces()).toHaveLength(4);
  await fail((await pieces()).at(-1)?.id ?? '');
  await play.shops.sweep();
  const waiting = await play.order('failing-twice');
  expect(waiting).toMatchObject({ state: 'person', reason: 'not-delivered' });
  expect(await giveAgain(waiting)).toMatchObject({ state: 'given' });
  expect(await pieces()).toHaveLength(4);
});

// Guarantee: an order whose delivery was refunded by decision, with its store order, or cancelled waits for a person.
test.each(['by-decision', 'with-its-order', 'cancelled'])('undone %s', async (how) => {
  const id = `undone-${how}`;
  const { order } = await bought(id, [vip]);
  const [delivery] = await openOf(id, 'diamond');
  if (how === 'by-decision') {
    await play.store.query(`update deliveries set state = 'unknown' where id = $1`, [delivery]);
    await play.store.query(`select castellan_refund_undelivered($1, false, 'test', 'test', null)`, [
      delivery,
    ]);
  } else if (how === 'cancelled')
    await play.store.query(`select castellan_cancel_delivery($1, 'test', 'test', null)`, [delivery]);
  else granted(await play.store.orders.refund(order.orderId ?? '', null, byOwner));
  await play.shops.sweep();
  expect(await play.order(id)).toMatchObject({ state: 'person', reason: 'not-delivered' });
});

// Guarantee: if it arrived after all, no one is asked any more.
test('a late result', async () => {
  await bought('late', [vip]);
  const [delivery = ''] = await openOf('late', 'diamond');
  await fail(delivery);
  await play.shops.sweep();
  expect(await play.order('late')).toMatchObject({ state: 'person' });
  await play.store.query(`select castellan_charge_again($1, 'test', null)`, [delivery]);
  await play.shops.sweep();
  expect(await play.order('late')).toMatchObject({ state: 'given', reason: null });
});

// Guarantee: a person who refunds at the shop sets the order aside; the refund ends it, and a retry before that asks again.
test('set aside and refunded at the shop', async () => {
  const { shop } = await bought('aside-lost', [vip]);
  await failAll(await openOf('aside-lost', 'diamond'));
  await play.shops.sweep();
  const waiting = await play.order('aside-lost');
  const aside = granted(await play.shops.orders.dismiss(waiting.id, waiting.version, byOwner));
  expect(aside).toMatchObject({ state: 'set-aside', reason: 'not-delivered' });
  await play.shops.sweep();
  const still = await play.order('aside-lost');
  expect(still).toMatchObject({ state: 'set-aside' });
  const retried = granted(await play.shops.orders.retry(still.id, still.version, byOwner));
  expect(retried).toMatchObject({ state: 'person', reason: 'not-delivered' });
  granted(await play.shops.orders.dismiss(retried.id, retried.version, byOwner));
  await play.send(shop, genericEvent('refunded', 'aside-lost'));
  expect(await play.order('aside-lost')).toMatchObject({ state: 'taken-back' });
});

// Guarantee: a daily kit that no one fetched, which is a later delivery of the same line, is no loss.
test('a kit that expires', async () => {
  await bought('kit', [vip]);
  const [delivery] = await openOf('kit', 'diamond');
  const [kit] = await play.store.query<{ id: string }>(
    `insert into deliveries (created_at, order_id, order_line_id, member_id, game, cluster_ids, server_ids, line, points, epoch)
       select now() + interval '1 day', order_id, order_line_id, member_id, game, cluster_ids, server_ids, line, 0, epoch
         from deliveries where id = $1 returning id`,
    [delivery],
  );
  await play.store.query(`select castellan_cancel_delivery($1, 'test', 'test', null)`, [kit?.id]);
  await play.shops.sweep();
  expect(await play.order('kit')).toMatchObject({ state: 'given', reason: null });
  await fail(delivery ?? '');
  await play.shops.sweep();
  expect(await play.order('kit')).toMatchObject({ state: 'person', reason: 'not-delivered' });
});

// Guarantee: a refund of the failed piece asks no one, and nothing of it is given again.
test('a refund of what was lost', async () => {
  const { shop } = await bought('lost-refunded', [vip, gold(1)]);
  await failAll(await openOf('lost-refunded', 'diamond'));
  await play.send(shop, genericEvent('refunded', 'lost-refunded', { lines: [vip] }));
  expect(await play.order('lost-refunded')).toMatchObject({ state: 'given' });
  expect(await goods.held('lost-refunded')).toEqual(['minecraft:gold_ingot']);
});

// Guarantee: what was given again of one product is taken back with it, and the other stays.
test('a product that was given again is refunded', async () => {
  const { shop } = await bought('again-refunded', [vip, gold(1)]);
  await failAll(await openOf('again-refunded', 'gold_ingot'));
  await play.shops.sweep();
  await giveAgain(await play.order('again-refunded'));
  await play.send(shop, genericEvent('refunded', 'again-refunded', { lines: [vip] }));
  expect(await goods.held('again-refunded')).toEqual(['minecraft:gold_ingot']);
  await play.send(shop, genericEvent('refunded', 'again-refunded', { lines: [vip, gold(1)] }));
  expect(await play.order('again-refunded')).toMatchObject({ state: 'taken-back' });
  expect(await goods.held('again-refunded')).toEqual([]);
});

// Guarantee: if the receiver was erased in between, another one is chosen for what was lost.
test('a receiver who is erased after it failed', async () => {
  const { memberId } = await bought('erased-lost', [vip]);
  await failAll(await openOf('erased-lost', 'diamond'));
  await play.store.database.db.transaction().execute((trx) => eraseMember(trx, memberId, 1));
  await play.shops.sweep();
  const unknown = await giveAgain(await play.order('erased-lost'));
  expect(unknown).toMatchObject({ state: 'person', reason: 'receiver-unknown' });
  const heir = await goods.someone();
  const change = { version: unknown.version, memberId: heir.memberId };
  expect(granted(await play.shops.orders.assign(unknown.id, change, byOwner))).toMatchObject({
    state: 'given',
  });
  expect(await goods.held('erased-lost')).toHaveLength(1);
});
