import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { byOwner, granted } from '../../store/orders/testing/store-of-a-test.ts';
import { keptDays } from './prune-events.ts';
import { genericPaid } from './testing/documented-events.ts';
import { type ShopsOfATest, shopsOfATest } from './testing/shops-of-a-test.ts';

const dayMs = 86_400_000;
const { signal } = new AbortController();

let play: ShopsOfATest;
let productId: string;
beforeAll(async () => {
  play = await shopsOfATest();
  productId = (await play.store.newProduct()).id;
});
afterAll(() => play[Symbol.asyncDispose]());

const newShop = () => play.newShop('generic', {}, [{ key: 'vip', productId, quantity: 1 }]);
const eventIds = async (shopId: string) =>
  (
    await play.store.query<{ event_id: string }>(
      'select event_id from shop_events where shop_id = $1 order by event_id',
      [shopId],
    )
  ).map(({ event_id }) => event_id);

// Guarantee: old events without an order are deleted, to the day, and those of orders are kept at any age.
test('events of no order', async () => {
  const shop = await newShop();
  const { platformId } = await play.newPlayer();
  const vip = [{ product: 'vip', quantity: 1 }];
  const paid = genericPaid('kept', vip, { game: 'minecraft', platformId });
  await play.send(shop, paid);
  await play.send(shop, { id: 'stray-old', type: 'refunded', orderId: 'never-paid' });
  await play.send(shop, { id: 'stray-new', type: 'refunded', orderId: 'never-paid' });
  const age = (id: string, days: number) =>
    play.store.query(
      `update shop_events set arrived_at = now() - $3 * interval '1 day' where shop_id = $1 and event_id = $2`,
      [shop.id, id, days],
    );
  await age(paid.id, 4000);
  await age('stray-old', keptDays + 0.01);
  await age('stray-new', keptDays - 0.01);
  expect(await play.shops.maintenance.run(signal)).toBe(1);
  expect(await eventIds(shop.id)).toEqual([paid.id, 'stray-new'].sort());

  // A refund after years still takes back, and the earlier events change nothing when they come again.
  await play.send(shop, { id: 'late-refund', type: 'refunded', orderId: 'kept' });
  expect(await play.order('kept')).toMatchObject({ state: 'taken-back' });
  await play.send(shop, paid);
  await play.send(shop, { id: 'stray-old', type: 'refunded', orderId: 'never-paid' });
  expect(await play.order('kept')).toMatchObject({ state: 'taken-back' });
  expect(await play.deliveries('kept')).toHaveLength(1);
});

// Guarantee: many are deleted in batches, by the store's moved clock.
test('many events', async () => {
  const shop = await newShop();
  await play.store.query(
    `insert into shop_events (shop_id, event_id, type, digest, refs, facts)
     select $1, 'e' || number, 'x', '', '{}', '{"kind":"nothing"}' from generate_series(1, 2500) as number`,
    [shop.id],
  );
  await play.shops.maintenance.run(signal);
  expect(await eventIds(shop.id)).toHaveLength(2500);
  play.advance((keptDays + 1) * dayMs);
  await play.shops.maintenance.run(signal);
  expect(await eventIds(shop.id)).toEqual([]);
});

// Guarantee: a shop without orders is removed with its secrets and events, and its webhooks are refused like those of an
// unknown shop; a shop with an order stays intact.
test('the removal of a shop', async () => {
  const { remove } = play.shops.settings;
  const shop = await newShop();
  await play.send(shop, { id: 'stray', type: 'refunded', orderId: 'never-paid' });
  expect(granted(await remove(shop.id, byOwner))).toEqual({});
  expect(await eventIds(shop.id)).toEqual([]);
  expect(await play.store.query('select from shop_secrets where shop_id = $1', [shop.id])).toEqual([]);
  expect((await play.send(shop, genericPaid('gone', []))).json).toMatchObject({
    code: 'WEBHOOK_SIGNATURE_INVALID',
  });
  expect(await remove(shop.id, byOwner)).toMatchObject({ refused: 'NOT_FOUND' });
  expect(
    await play.store.query(
      `select target, before ->> 'name' as name from audit_logs where action = 'shops.remove'`,
    ),
  ).toEqual([{ target: `shop:${shop.id}`, name: 'generic' }]);

  const used = await newShop();
  await play.send(used, genericPaid('bought', [{ product: 'vip', quantity: 1 }]));
  expect(await remove(used.id, byOwner)).toMatchObject({ refused: 'CONFLICT' });
  expect(await eventIds(used.id)).toHaveLength(1);
  const listed = await play.shops.settings.list();
  expect(listed.find(({ id }) => id === used.id)).toMatchObject({ hasOrders: true, waiting: 1 });
});

// Guarantee: a purchase that waits while its shop is removed is refused like one of an unknown shop.
test('a purchase during the removal', async () => {
  const shop = await newShop();
  const { pool } = play.store.database;
  const blocked = (count: number) =>
    eventually(async () => {
      const { rows } = await pool.query(
        `select from pg_locks join pg_database on pg_database.oid = database
          where datname = current_database() and locktype = 'advisory' and not granted`,
      );
      expect(rows).toHaveLength(count);
    });
  const holding = await pool.connect();
  await holding.query('begin');
  await holding.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`shop:${shop.id}`]);
  const removed = play.shops.settings.remove(shop.id, byOwner);
  await blocked(1);
  const answered = play.send(shop, genericPaid('too-late', [{ product: 'vip', quantity: 1 }]));
  await blocked(2);
  await holding.query('commit');
  holding.release();
  expect(await removed).toEqual({});
  expect((await answered).json).toMatchObject({ status: 401, code: 'WEBHOOK_SIGNATURE_INVALID' });
  expect(await eventIds(shop.id)).toEqual([]);
});
