import { expect, test } from 'vitest';
import { testDatabase } from '#harness/database.ts';
import { migrate } from '#runtime/database/migrate.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { silentLog } from '../testing/feature-api.ts';
import { grantPoints, insertMember, insertOrder } from '../testing/store-rows.ts';
import { migrations } from './migrations.ts';
import type { Tables } from './tables.ts';

const upTo = '0034-prices';

// Guarantee: for orders that external shops and seasons placed in an earlier version, open deliveries except kits lose
// their expiry; failed ones of shops are reported to their shop's order unless it was taken back; the store's own
// orders stay unchanged.
test('orders of shops of an earlier version', async () => {
  await using database = await testDatabase();
  await using opened = openDatabase<Tables>({ url: database.url, applicationName: 'test', log: silentLog });
  const { db, pool } = opened;
  const earlier = Object.entries(migrations).filter(([name]) => name <= upTo);
  await migrate({ db, migrations: Object.fromEntries(earlier), log: silentLog });
  const member = await insertMember(pool);
  await grantPoints(pool, member, 100);
  const placed = async (source: 'shop' | 'season' | 'panel') => {
    const order = await insertOrder(pool, member, ['waiting', 'failed', 'pending'], 1);
    await pool.query('update orders set source = $2 where id = $1', [order.orderId, source]);
    await pool.query(
      `update deliveries set expires_at = '2030-01-01', refunded_at = case state when 'failed' then now() end
        where order_id = $1`,
      [order.orderId],
    );
    // In one transaction, except for a daily kit.
    await pool.query(
      `update deliveries set created_at = case state when 'pending' then now() else '2026-01-01' end where order_id = $1`,
      [order.orderId],
    );
    return order;
  };
  const [kept, taken, own] = [await placed('shop'), await placed('shop'), await placed('panel')];
  const season = await placed('season');
  await pool.query(
    `insert into shops (id, kind, name, is_enabled, game, allows_names, checks_address)
     values ('stripe', 'stripe', 'S', true, 'minecraft', false, true), ('tebex', 'tebex', 'T', true, 'minecraft', false, true)`,
  );
  await pool.query(
    `insert into shop_orders (id, shop_id, external_id, refs, state, order_id, is_taken)
     values ('kept', 'stripe', '1', '{}', 'given', $1, false), ('taken', 'stripe', '2', '{}', 'taken-back', $2, true)`,
    [kept.orderId, taken.orderId],
  );

  await migrate({ db, migrations, log: silentLog });
  expect((await pool.query('select order_id from shop_order_news')).rows).toEqual([
    { order_id: kept.orderId },
  ]);
  const { rows } = await pool.query<{ id: string }>(
    'select id from deliveries where refunded_at is null and expires_at is null',
  );
  expect(rows.map(({ id }) => id).sort()).toEqual(
    [kept, taken, season].map(({ deliveryIds: [first] }) => first).sort(),
  );
  const told = async (id: string | undefined) => {
    await pool.query(`select castellan_cancel_delivery($1, 'test', 'test', null)`, [id]);
    return (await pool.query('delete from shop_order_news returning order_id')).rows;
  };
  await pool.query('delete from shop_order_news');
  expect(await told(own.deliveryIds[0])).toEqual([]);
  expect(await told(kept.deliveryIds[0])).toEqual([{ order_id: kept.orderId }]);
  expect((await pool.query('select id from shops where checks_address')).rows).toEqual([{ id: 'tebex' }]);
});
