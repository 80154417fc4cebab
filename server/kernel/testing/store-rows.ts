import type pg from 'pg';

/** A member without players. @returns the id */
export const insertMember = async (pool: pg.Pool): Promise<string> => {
  const { rows } = await pool.query<{ id: string }>('insert into members default values returning id');
  return rows[0]?.id ?? '';
};

export const grantPoints = (pool: pg.Pool, memberId: string, amount: number) =>
  pool.query(
    `insert into ledger (kind, from_account, to_account, to_member, amount, actor)
     values ('grant', 'issued', 'wallet', $1, $2, 'test')`,
    [memberId, amount],
  );

export const balanceOf = async (pool: pg.Pool, memberId: string): Promise<number> => {
  const { rows } = await pool.query<{ balance: string }>('select balance from wallets where member_id = $1', [
    memberId,
  ]);
  return Number(rows[0]?.balance);
};

export interface PaidOrder {
  readonly orderId: string;
  readonly lineId: string;
  readonly deliveryIds: readonly string[];
}

/** An order of one product with five in stock, paid for, with one delivery in each of these states. */
export const insertOrder = async (
  pool: pg.Pool,
  memberId: string,
  states: readonly string[],
  points: number,
): Promise<PaidOrder> => {
  await pool.query(`insert into products (id, stock) values ('p', 5) on conflict do nothing`);
  await pool.query(
    `insert into product_versions (product_id, version, name, name_key, description, category, price, game, lines)
     values ('p', 1, 'P', 'p', '', '', $1, 'minecraft', '[]') on conflict do nothing`,
    [points],
  );
  const total = points * states.length;
  const order = await pool.query<{ id: string }>(
    `insert into orders (id, member_id, receiver_id, total, source, actor)
     values (gen_random_uuid(), $1, $1, $2, 'panel', 'test') returning id`,
    [memberId, total],
  );
  const orderId = order.rows[0]?.id ?? '';
  await pool.query(
    `insert into ledger (kind, from_account, from_member, to_account, amount, order_id, actor)
     values ('purchase', 'wallet', $1, 'sales', $2, $3, 'test')`,
    [memberId, total, orderId],
  );
  const line = await pool.query<{ id: string }>(
    `insert into order_lines (order_id, product_id, product_version, receiver_id, quantity, unit_price)
     values ($1, 'p', 1, $2, 1, $3) returning id`,
    [orderId, memberId, total],
  );
  const lineId = line.rows[0]?.id ?? '';
  const deliveryIds: string[] = [];
  for (const state of states) {
    const { rows } = await pool.query<{ id: string }>(
      `insert into deliveries (order_id, order_line_id, member_id, game, cluster_ids, server_ids, line, points, epoch,
                               state, waits_for, certainty)
       values ($1, $2, $3, 'minecraft', '{}', '{}', '{}', $4, (select epoch from store_state), $5,
               case when $5 = 'waiting' then 'player' end, case when $5 = 'delivered' then 'proven' end)
       returning id`,
      [orderId, lineId, memberId, points, state],
    );
    deliveryIds.push(rows[0]?.id ?? '');
  }
  return { orderId, lineId, deliveryIds };
};
