import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobSender } from '../../kernel/queues/job-sender.ts';
import { type MigratedDatabase, migratedDatabase } from '../../kernel/testing/feature-api.ts';
import { addDeliveries, type NewDelivery } from './new-deliveries.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const placeOrder = async (): Promise<Pick<NewDelivery, 'orderId' | 'orderLineId' | 'memberId'>> => {
  const { rows } = await database.pool.query<{ orderId: string; orderLineId: string; memberId: string }>(
    `with member as (insert into members default values returning id),
          product as (insert into products (id) values (gen_random_uuid()) returning id),
          version as (
            insert into product_versions (product_id, version, name, name_key, description, category, price, game, lines)
              select id, 1, 'Diamonds', 'diamonds', '', '', 10, 'minecraft', '[]' from product returning product_id),
          placed as (
            insert into orders (id, member_id, receiver_id, total, source, actor)
              select gen_random_uuid(), id, id, 10, 'panel', 'test' from member returning id, member_id),
          line as (
            insert into order_lines (order_id, product_id, product_version, receiver_id, quantity, unit_price)
              select placed.id, product_id, 1, member_id, 1, 10 from placed, version returning id)
     select placed.id as "orderId", line.id as "orderLineId", member_id as "memberId" from placed, line`,
  );
  if (!rows[0]) throw new Error('no order');
  return rows[0];
};

// Guarantee: deliveries keep the order in which they were bought, and one job wakes each receiver.
test('deliveries are added with their jobs', async () => {
  const sent: unknown[] = [];
  const jobs: JobSender = {
    attach: () => undefined,
    send: async (_, queue, data) => {
      sent.push([queue, data]);
      return true;
    },
  };
  await database.pool.query('update store_state set epoch = 3');
  const order = await placeOrder();
  const rows = Array.from({ length: 40 }, (_, position) => ({
    ...order,
    game: 'minecraft' as const,
    clusterIds: [],
    serverIds: ['a', 'b'],
    line: { kind: 'item' as const, item: 'diamond', quantity: position + 1, position },
    points: 5,
    expiresAt: null,
  }));
  const ids = await database.db.transaction().execute((trx) => addDeliveries({ jobs }, trx, rows));
  const stored = await database.db.selectFrom('deliveries').selectAll().orderBy('number').execute();
  expect(stored.map(({ id }) => id)).toEqual(ids);
  expect(stored.map(({ line }) => line)).toEqual(rows.map(({ line }) => line));
  expect(stored[0]).toMatchObject({ state: 'pending', epoch: 3, server_ids: ['a', 'b'], points: '5' });
  expect(sent).toEqual([['delivery-wakes', { memberId: order.memberId }]]);
});
