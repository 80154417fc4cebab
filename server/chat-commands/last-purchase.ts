import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

export interface LastPurchase {
  readonly name: string;
  readonly quantity: number;
  readonly total: number;
}

/** What a player bought by chat since then, the newest. */
export const readLastPurchase = async (
  db: Kysely<Tables>,
  by: { readonly playerId: string; readonly memberId: string },
  since: Date,
): Promise<LastPurchase | null> => {
  const found = await db
    .selectFrom('orders')
    .innerJoin('order_lines as line', 'line.order_id', 'orders.id')
    .innerJoin('product_versions as sold', (join) =>
      join
        .onRef('sold.product_id', '=', 'line.product_id')
        .onRef('sold.version', '=', 'line.product_version'),
    )
    .select(['sold.name', 'line.quantity', 'orders.total'])
    .where('orders.member_id', '=', by.memberId)
    .where('orders.source', '=', 'chat')
    .where('orders.actor', '=', `player:${by.playerId}`)
    .where('orders.created_at', '>', since)
    .orderBy('orders.number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found ? { ...found, total: Number(found.total) } : null;
};
