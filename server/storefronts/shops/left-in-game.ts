import { type Kysely, sql } from 'kysely';
import type { ShopOrderLeft } from '#contracts/storefronts/shops.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isWipedAway } from '../../store/wiped-away.ts';
import type { ShopOrderRow } from './read-shop-order.ts';

type GivenOrder = Pick<ShopOrderRow, 'order_id' | 'added_order_ids'>;

/** The store orders of a shop's order. */
export const ordersOf = ({ order_id, added_order_ids }: GivenOrder): readonly string[] =>
  order_id === null ? [] : [order_id, ...added_order_ids];

/** What stayed of all of them, each product once. */
export const leftOf = (
  row: GivenOrder,
  left: ReadonlyMap<string, readonly ShopOrderLeft[]>,
): readonly ShopOrderLeft[] => {
  const all = ordersOf(row).flatMap((id) => left.get(id) ?? []);
  return [...Map.groupBy(all, ({ product }) => product)].map(([product, ones]) => ({
    product,
    isCertain: ones.some(({ isCertain }) => isCertain),
  }));
};

/**
 * What store orders gave, and what was refunded but stayed in the game: items, commands without a counter-command, and
 * counter-commands that failed or may have failed. By order id; timed purchases and Discord roles are taken back elsewhere,
 * and what the game has lost is not included.
 */
export const readLeftInGame = async (
  db: Kysely<Tables>,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ShopOrderLeft[]>> => {
  const { rows } = await sql<ShopOrderLeft & { readonly orderId: string }>`
    select given.order_id as "orderId", product.name as product, bool_or(given.has_arrived and given.taking <> 'unknown') as "isCertain"
      from (
        select deliveries.order_id, deliveries.order_line_id,
               -- An older version kept how a counter-command ended with the attempt alone.
               case when not deliveries.line ? 'counterCommand' then 'none'
                    else coalesce(counter.state, case attempt.evidence #>> '{counterCommand,outcome}'
                      when 'answered' then 'taken' when 'unreachable' then 'none' end,
                      case when attempt.evidence ? 'counterCommand' then 'unknown' else 'none' end) end as taking,
               deliveries.state = 'delivered' as has_arrived
          from deliveries
          left join delivery_attempts as attempt
            on attempt.delivery_id = deliveries.id and attempt.number = deliveries.attempts
          left join counter_commands as counter
            on counter.delivery_id = deliveries.id and counter.number = deliveries.attempts
         where deliveries.order_id = any (${orderIds}::text[]) and deliveries.refunded_at is not null
           and (deliveries.state = 'delivered' or deliveries.may_have_arrived)
           and deliveries.rolled_back_at is null and not ${isWipedAway} and deliveries.line ->> 'kind' <> 'role'
           and not (deliveries.line ->> 'kind' = 'command' and deliveries.line ? 'lasts')) as given
      join order_lines as bought on bought.id = given.order_line_id
      join product_versions as product
        on product.product_id = bought.product_id and product.version = bought.product_version
     where given.taking in ('none', 'refused', 'unknown', 'impossible')
     group by given.order_id, product.name order by product.name`.execute(db);
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId);
  return new Map(
    [...byOrder].map(([id, left]) => [id, left.map(({ product, isCertain }) => ({ product, isCertain }))]),
  );
};
