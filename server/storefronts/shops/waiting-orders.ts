import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import { leftOf, ordersOf, readLeftInGame } from './left-in-game.ts';

/** Paid, and not given: a person decides, or their player was never seen. */
export const waitingShopOrders = sql`
  select 'shop-orders', null, count(*), min(created_at) from shop_orders where state in ('waiting', 'person')`;

/** More are not counted. */
const mostLeft = 1000;

/** Orders that were taken back and left something in the game; one that a person sets aside is none. */
export const readOrdersLeft = async (db: Kysely<Tables>) => {
  const rows = await db
    .selectFrom('shop_orders')
    .select(['order_id', 'added_order_ids', 'taken_back_at'])
    .where('state', '=', 'taken-back')
    .where('taken_back_at', 'is not', null)
    .orderBy('taken_back_at', 'desc')
    .limit(mostLeft)
    .execute();
  if (rows.length === 0) return [];
  const left = await readLeftInGame(db, rows.flatMap(ordersOf));
  const stay = rows.filter((row) => leftOf(row, left).length > 0);
  const since = stay.at(-1)?.taken_back_at ?? null;
  return [{ kind: 'shop-orders-left' as const, serverId: null, count: stay.length, since }];
};
