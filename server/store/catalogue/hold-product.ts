import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';

/** An item of an order that a game refused for good. */
export interface RefusedItem {
  readonly productId: string;
  /** The version of the product that was ordered. */
  readonly version: number;
  readonly item: string;
}

/**
 * Stops the sale until a person has checked it: of the product, and of those in a bundle that currently give the item.
 * Locks them by id: call it after locking deliveries, before wallets.
 */
export const holdProduct = async (
  trx: Kysely<Tables>,
  { productId, version, item }: RefusedItem,
  reason: string,
  now: Date,
): Promise<void> => {
  const given = JSON.stringify([{ kind: 'item', item }]);
  await sql`
    with stopped as (
      select id from products
       where id = ${productId} or id in (
         select part.id
           from product_versions as bundle
           cross join jsonb_array_elements(bundle.lines) as line
           join products as part on part.id = line ->> 'productId'
           join product_versions as sold on sold.product_id = part.id and sold.version = part.version
          where bundle.product_id = ${productId} and bundle.version = ${version}
            and line ->> 'kind' = 'product' and sold.lines @> ${given}::jsonb)
       order by id for update)
    update products set held_at = ${now}, held_reason = ${reason}
      from stopped where products.id = stopped.id and products.held_at is null`.execute(trx);
};
