import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { byOwner } from '../../store/orders/testing/store-of-a-test.ts';
import { foldShopOrder, type ShopOrderFold } from './order-state.ts';
import type { ShopEvent } from './shop-event.ts';
import { takeEvent } from './take-event.ts';
import { anyEventsOf } from './testing/order-events.ts';
import { type ShopsOfATest, shopsOfATest } from './testing/shops-of-a-test.ts';

const seed = 1019;
/** With repeats, 1,700 orders are about 5,000 events. */
const orders = Number(process.env.CASTELLAN_SHOP_ORDERS ?? 60);
const atOnce = 8;

let play: ShopsOfATest;
beforeAll(async () => {
  play = await shopsOfATest();
});
afterAll(() => play[Symbol.asyncDispose]());

const isGone = ({ refund, dispute }: ShopOrderFold): boolean =>
  refund === 'whole' || dispute === 'lost' || dispute === 'open';

/** Like an operator, at any moment; what is taken back in between is left alone. */
const loseOne = () =>
  play.store.database.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select id from deliveries where state in ('pending', 'waiting') order by md5(id::text) limit 1`.execute(
      trx,
    );
    const [delivery] = rows;
    if (!delivery) return;
    const { rows: locked } = await sql<{ state: string }>`
      select state from castellan_lock_delivery(${delivery.id})`.execute(trx);
    if (locked[0]?.state === 'pending' || locked[0]?.state === 'waiting')
      await sql`select castellan_cancel_delivery(${delivery.id}, 'by a test', 'test', null)`.execute(trx);
  });

// Guarantee: when events of many orders arrive shuffled, repeated and concurrently, while others are settled and deliveries
// fail, each paid order leads to one store order, and each refunded or disputed one to none. A person is asked about each
// lost one, and gives it again once.
test('events of many orders', async () => {
  const product = await play.store.newProduct();
  const shop = await play.newShop('generic', {}, [{ key: 'vip', productId: product.id, quantity: 1 }]);
  await play.newPlayer({ platform_id: 'minecraft:11111111-2222-4333-8444-555555555555' });
  const [all = []] = fc.sample(
    fc
      .tuple(...Array.from({ length: orders }, (_, index) => anyEventsOf(index)))
      .map((events) => events.flat())
      .chain((events) =>
        fc.tuple(fc.constant(events), fc.subarray(events)).map(([once, again]) => [...once, ...again]),
      )
      .chain((events) => fc.shuffledSubarray(events, { minLength: events.length })),
    { seed, numRuns: 1 },
  );
  const queue = [...all];
  const take = async () => {
    for (let event = queue.pop(); event; event = queue.pop()) {
      await takeEvent(play.store.database.db, shop, event);
      if (queue.length % 50 === 0) await play.shops.sweep();
      if (queue.length % 9 === 0) await loseOne();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  await play.shops.sweep();
  await play.settled();
  const lost = (await play.shops.orders.list({ limit: 5000 })).rows.filter(
    ({ reason }) => reason === 'not-delivered',
  );
  expect(lost.length).toBeGreaterThan(3);
  for (const { id, version } of lost) {
    const [again, twice] = await Promise.all([0, 1].map(() => play.shops.orders.give(id, version, byOwner)));
    expect([again, twice].filter((one) => one && isRefusal(one))).toHaveLength(1);
  }

  const placed = await play.store.query<{ order: string; orders: number; held: number }>(
    `select wanted.external_id as order, count(distinct placed.id)::int as orders,
            (count(delivery.id) filter (where delivery.refunded_at is null and delivery.state <> 'cancelled'))::int as held
       from shop_orders as wanted
       left join order_requests as request
         on request.key like 'shop-order:' || wanted.id || ':%'
       left join orders as placed on placed.id = request.order_id
       left join deliveries as delivery on delivery.order_id = placed.id
      group by wanted.external_id`,
  );
  const rows = new Map(placed.map((row) => [row.order, row]));
  const byOrder = Map.groupBy(all, ({ eventId }) => eventId.slice(1).split('-')[0] ?? '');
  const counts = { given: 0, gone: 0, unpaid: 0, undecided: 0 };
  for (const [order, events] of byOrder) {
    const fold = foldShopOrder(distinct(events));
    const row = rows.get(order);
    if (!fold.purchase) {
      expect(row, order).toBeUndefined();
      counts.unpaid += 1;
      continue;
    }
    const times = lost.some(({ externalId }) => externalId === order) ? 2 : 1;
    expect(row?.orders, order).toBeLessThanOrEqual(times);
    if (isGone(fold)) {
      expect(row?.held, order).toBe(0);
      counts.gone += 1;
    } else if (fold.refund === 'none' && fold.dispute === 'none') {
      expect(row, order).toMatchObject({ orders: times, held: 1 });
      counts.given += 1;
    } else counts.undecided += 1;
  }
  expect(all.length).toBeGreaterThan(orders * 2);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
}, 300_000);

const distinct = (events: readonly ShopEvent[]): readonly ShopEvent[] => [
  ...new Map(events.map((event) => [event.eventId, event])).values(),
];
