import { afterAll, beforeAll, expect, test } from 'vitest';
import { byOwner, granted, orderOf, type StoreOfATest, storeOfATest } from './testing/store-of-a-test.ts';

const orders = 100_000;
const members = 2000;

let store: StoreOfATest;
let rare: string;
let common: string;
beforeAll(async () => {
  store = await storeOfATest();
  common = (await store.newProduct()).id;
  rare = (await store.newProduct()).id;
  await store.query('insert into members (created_at) select now() from generate_series(1, $1::int)', [
    members,
  ]);
  await store.query(
    `insert into orders (id, member_id, receiver_id, total, source, actor)
     select 'o' || n, 1 + n % $2::int, 1 + n * 7 % $2::int, 10, 'panel', 'test' from generate_series(1, $1::int) as n`,
    [orders, members],
  );
  await store.query(
    `insert into order_lines (order_id, product_id, product_version, receiver_id, quantity, unit_price)
     select id, case when number % 20000 = 5 then $1 else $2 end, 1, receiver_id, 1, 10 from orders`,
    [rare, common],
  );
  await store.query(
    `insert into deliveries (order_id, order_line_id, member_id, game, cluster_ids, server_ids, line, points, state, certainty, epoch)
     select order_id, id, receiver_id, 'minecraft', '{}', '{}', '{}', 10, 'delivered', 'proven', 1 from order_lines`,
  );
  // Its reads would be counted, too.
  for (const table of ['orders', 'order_lines', 'deliveries'])
    await store.query(`alter table ${table} set (autovacuum_enabled = false)`);
  await store.query('analyze');
}, 180_000);
afterAll(() => store[Symbol.asyncDispose]());

/** Blocks of 8 KiB that the statements of some work touch in tables and indexes. */
const blocksOf = async (work: () => Promise<unknown>): Promise<number> => {
  const touched = async () => {
    const [row] = await store.query<{ blocks: string }>(
      `select pg_stat_force_next_flush(),
         (select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0))
          from pg_statio_user_tables where relname in ('orders', 'order_lines', 'deliveries')) as blocks`,
    );
    return Number(row?.blocks);
  };
  // Each connection of the pool flushes its counters when asked.
  const flush = () =>
    Promise.all(
      Array.from({ length: 10 }, () => store.query('select pg_stat_force_next_flush(), pg_sleep(0.05)')),
    );
  await flush();
  const before = await touched();
  await work();
  await flush();
  return (await touched()) - before;
};

// Guarantee: the rows read for a page, an order or a member's limits do not grow with everything ever sold. The tables hold
// several thousand blocks.
test('reading among 100,000 orders', { tags: 'night', timeout: 60_000 }, async () => {
  const [size] = await store.query<{ blocks: string }>(
    `select (pg_relation_size('orders') + pg_relation_size('order_lines') + pg_relation_size('deliveries')) / 8192 as blocks`,
  );
  expect(Number(size?.blocks)).toBeGreaterThan(3000);
  const list = store.orders.list;
  const reads: Record<string, () => Promise<unknown>> = {
    'a page': () => list({ limit: 20 }),
    'a page of a member': () => list({ limit: 20, memberId: '77' }),
    'a page of a common product': () => list({ limit: 20, productId: common }),
    'a page of a rare product': () => list({ limit: 20, productId: rare }),
    'one order': () => store.orders.read('o500'),
  };
  const blocks: Record<string, number> = {};
  for (const [name, read] of Object.entries(reads)) blocks[name] = await blocksOf(read);
  const member = await store.newMember(100);
  const { id: productId } = await store.newProduct({
    limits: { perMember: 5, perPeriod: { count: 5, days: 7 } },
  });
  blocks['an order with limits'] = await blocksOf(async () =>
    granted(await store.orders.place(orderOf({ memberId: member, lines: [{ productId }] }), null, byOwner)),
  );
  expect(Object.entries(blocks).filter(([, count]) => !(count > 0 && count < 1200))).toEqual([]);
});
