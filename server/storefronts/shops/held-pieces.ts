import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';

type ShopOrderRow = Selectable<Tables['shop_orders']>;

/**
 * By product: pieces in a shop order's store orders that were delivered or still may be. Of a line, only pieces complete in
 * each of its positions count. Deliveries that were not created in the order's transaction are daily kits, which may expire.
 */
export const readHeldPieces = async (
  trx: Kysely<Tables>,
  { order_id, added_order_ids }: ShopOrderRow,
): Promise<ReadonlyMap<string, number>> => {
  if (order_id === null) return new Map();
  const { rows } = await sql<{ product_id: string; pieces: string }>`
    select sold.product_id, sum(coalesce(share.pieces, sold.quantity)) as pieces
      from order_lines as sold
      cross join lateral (select min(created_at) as at from deliveries where order_id = sold.order_id) as placed
      cross join lateral (
        select min(floor(sold.quantity * held / planned)) as pieces from (
          select sum((line ->> 'quantity')::bigint) as planned,
                 coalesce(sum((line ->> 'quantity')::bigint) filter (where refunded_at is null), 0) as held
            from deliveries where order_line_id = sold.id and created_at = placed.at
           group by line ->> 'position') as positions) as share
     where sold.order_id = any (${[order_id, ...added_order_ids]}::text[])
     group by sold.product_id`.execute(trx);
  return new Map(rows.map(({ product_id, pieces }) => [product_id, Number(pieces)]));
};

/** The products that were taken back and that a season gives again because they had been delivered. */
export const readRegrants = async (
  trx: Kysely<Tables>,
  { order_id, added_order_ids, is_taken, taken_products }: ShopOrderRow,
): Promise<readonly string[]> => {
  if (order_id === null || (!is_taken && taken_products.length === 0)) return [];
  const { rows } = await sql<{ product_id: string }>`
    select distinct step.product_id
      from orders as bought
      join order_lines as sold on sold.order_id = bought.id
      join deliveries as lost on lost.order_line_id = sold.id and lost.state = 'delivered'
      join members as own on own.id = castellan_member_today(bought.receiver_id)
        or own.merged_into = castellan_member_today(bought.receiver_id)
      join season_steps as step on step.member_id = own.id and step.kind = 'regrant' and step.product_id = sold.product_id
      join seasons on seasons.id = step.season_id and seasons.began_at > lost.ended_at
     where bought.id = any (${[order_id, ...added_order_ids]}::text[])
       and (${is_taken} or sold.product_id = any (${taken_products}::text[]))
       and (step.state = 'waiting' or step.state = 'done' and exists (
             select from deliveries as again where again.order_id = step.order_id and again.refunded_at is null))
     order by step.product_id`.execute(trx);
  return rows.map(({ product_id }) => product_id);
};
