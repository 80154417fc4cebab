import { afterAll, beforeAll, expect, test } from 'vitest';
import { byOwner, granted } from '../../store/orders/testing/store-of-a-test.ts';
import { createSeasons, type Seasons } from '../../store/seasons/seasons.ts';
import { planOf } from '../../store/seasons/testing/seasons-of-a-test.ts';
import { genericEvent, genericPaid } from './testing/documented-events.ts';
import { type ShopsOfATest, shopsOfATest } from './testing/shops-of-a-test.ts';

let play: ShopsOfATest;
let seasons: Seasons;
beforeAll(async () => {
  play = await shopsOfATest();
  seasons = createSeasons(
    {
      ...play.store.context,
      now: Date.now,
      orders: play.store.orders,
      deliveries: { wake: () => undefined, sweep: async () => undefined },
      servers: {
        ...play.store.context.servers,
        all: () => [{ id: 'mc', clusterId: 'c', game: 'minecraft' }],
      },
    },
    3_600_000,
  );
});
afterAll(async () => {
  await seasons[Symbol.asyncDispose]();
  await play[Symbol.asyncDispose]();
});

const beginSeason = async () => {
  const plan = planOf();
  const { digest } = granted(await seasons.preview(plan));
  const announcement = { en: '', 'pt-BR': '' };
  granted(await seasons.begin({ ...plan, name: 'Winter', announcement, digest }, byOwner));
  await seasons.idle();
};
const deliverAll = () =>
  play.store.query(
    `update deliveries set state = 'delivered', certainty = 'proven', attempts = 1, server_id = 'mc', ended_at = now()
      where state in ('pending', 'waiting')`,
  );
const seasonOrders = () =>
  play.store.query<{ id: string }>(`select id from orders where source = 'season' order by created_at desc`);

// Guarantee: when an order is charged back, whole or by product, what a season gives again of it waits for a person until it
// is refunded.
test.each([
  ['whole', {}],
  ['by its product', { lines: [{ product: 'vip', quantity: 1 }] }],
])('a refund, %s, after a season', async (how, refund) => {
  const product = await play.store.newProduct({ onWipe: 'regrant' });
  const other = await play.store.newProduct();
  const shop = await play.newShop('generic', {}, [
    { key: 'vip', productId: product.id, quantity: 1 },
    { key: 'other', productId: other.id, quantity: 1 },
  ]);
  const { platformId } = await play.newPlayer();
  const id = `season-${how.replaceAll(' ', '-')}`;
  const lines = [
    { product: 'vip', quantity: 1 },
    { product: 'other', quantity: 1 },
  ];
  await play.send(shop, genericPaid(id, lines, { game: 'minecraft', platformId }));
  await deliverAll();
  await beginSeason();
  await play.send(shop, genericEvent('refunded', id, refund));
  const waiting = await play.order(id);
  expect(waiting).toMatchObject({ state: 'person', reason: 'season-regrant', detail: 'vip' });
  const [regrant] = await seasonOrders();
  granted(await play.store.orders.refund(regrant?.id ?? '', null, byOwner));
  const done = granted(await play.shops.orders.retry(waiting.id, waiting.version, byOwner));
  expect(done).toMatchObject({ state: how === 'whole' ? 'taken-back' : 'given' });
});

// Guarantee: what a season gives again can be left to the member; what the order still owes is then given.
test('left to the member', async () => {
  const product = await play.store.newProduct({ onWipe: 'regrant' });
  const other = await play.store.newProduct();
  const shop = await play.newShop('generic', {}, [
    { key: 'vip', productId: product.id, quantity: 1 },
    { key: 'other', productId: other.id, quantity: 1 },
  ]);
  const { platformId } = await play.newPlayer();
  const vip = { product: 'vip', quantity: 1 };
  const lines = [vip, { product: 'other', quantity: 1 }];
  await play.send(shop, genericPaid('left', lines, { game: 'minecraft', platformId }));
  await deliverAll();
  await beginSeason();
  await play.send(shop, genericEvent('refunded', 'left', { lines: [vip] }));
  await play.store.query(
    `select castellan_refund_delivery(delivery.id, 'test', null) from deliveries as delivery
       join order_lines as line on line.id = delivery.order_line_id where line.product_id = $1`,
    [other.id],
  );
  await play.shops.sweep();
  const lost = await play.order('left');
  expect(lost).toMatchObject({ state: 'person', reason: 'not-delivered' });
  const asked = granted(await play.shops.orders.give(lost.id, lost.version, byOwner));
  expect(asked).toMatchObject({ state: 'person', reason: 'season-regrant' });
  expect(granted(await play.shops.orders.give(asked.id, asked.version, byOwner))).toMatchObject({
    state: 'given',
    reason: null,
  });
  const open = await play.store.query(
    `select 1 from deliveries join order_lines as line on line.id = order_line_id
      where line.product_id = $1 and refunded_at is null`,
    [other.id],
  );
  expect(open).toHaveLength(1);
});

// Guarantee: a season before the purchase, or one that did not give it again, asks for nothing.
test('a refund of what no season gave again', async () => {
  const product = await play.store.newProduct({ onWipe: 'regrant' });
  const shop = await play.newShop('generic', {}, [{ key: 'vip', productId: product.id, quantity: 1 }]);
  const { platformId, memberId } = await play.newPlayer();
  granted(
    await play.store.orders.place(
      { memberId, isTest: false, lines: [{ productId: product.id, quantity: 1 }] },
      null,
      byOwner,
      { isPaidOutside: true },
    ),
  );
  await deliverAll();
  await beginSeason();
  await play.send(
    shop,
    genericPaid('after-season', [{ product: 'vip', quantity: 1 }], { game: 'minecraft', platformId }),
  );
  await deliverAll();
  await play.send(shop, genericEvent('dispute-lost', 'after-season'));
  expect(await play.order('after-season')).toMatchObject({ state: 'taken-back', reason: 'charged-back' });
});
