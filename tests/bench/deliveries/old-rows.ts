import type pg from 'pg';

const batch = 50_000;

/** Delivered long ago, each with its order, line and attempt. */
const statements = [
  `insert into orders (id, created_at, member_id, receiver_id, total, source, actor)
   select 'old' || n, now() - interval '90 days', $3, $3, 0, 'api', 'bench' from generate_series($1::int, $2::int) n`,
  `insert into order_lines (order_id, product_id, product_version, receiver_id, quantity, unit_price, created_at)
   select 'old' || n, $4, 1, $3, 1, 0, now() - interval '90 days' from generate_series($1::int, $2::int) n`,
  `with made as (
     insert into deliveries (created_at, order_id, order_line_id, member_id, game, cluster_ids, server_ids, line, points,
                             state, certainty, server_id, way, attempts, epoch, started_at, ended_at)
     select now() - interval '90 days', order_id, id, $3, 'minecraft', '{}', '{}',
            '{"kind":"item","item":"minecraft:stone","quantity":1,"position":0}', 0,
            'delivered', 'proven', 's1', 'agent', 1, 1, now() - interval '90 days', now() - interval '90 days'
     from order_lines where order_id in (select 'old' || n from generate_series($1::int, $2::int) n) returning id, ended_at
   )
   insert into delivery_attempts (delivery_id, number, command_id, server_id, way, command, began_at, ended_at, outcome, reply, verdict)
   select id, 1, id || '.1', 's1', 'agent', 'give @s minecraft:stone 1', ended_at, ended_at, 'answered', 'Gave 1 [Stone]', 'done'
   from made`,
];

/** Adds the rows from number `from` up to `to`, so that the table keeps growing. */
export const addOldRows = async (
  client: pg.Client,
  {
    from,
    to,
    memberId,
    productId,
  }: {
    readonly from: number;
    readonly to: number;
    readonly memberId: string;
    readonly productId: string;
  },
): Promise<void> => {
  for (let first = from + 1; first <= to; first += batch) {
    const last = Math.min(to, first + batch - 1);
    const [orders = '', lines = '', deliveries = ''] = statements;
    await client.query(orders, [first, last, memberId]);
    await client.query(lines, [first, last, memberId, productId]);
    await client.query(deliveries, [first, last, memberId]);
  }
  await client.query('vacuum analyze deliveries');
  for (const table of ['orders', 'order_lines', 'delivery_attempts']) await client.query(`analyze ${table}`);
};
