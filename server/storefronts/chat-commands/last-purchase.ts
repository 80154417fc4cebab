import type { Kysely } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import type { ChatLine } from './chat-line.ts';

export interface ChatPurchase {
  readonly name: string;
  readonly quantity: number;
  readonly total: number;
}

const selectPurchases = (db: Kysely<Tables>, { playerId }: Pick<ChatLine, 'playerId'>) =>
  db
    .selectFrom('order_requests as asked')
    .innerJoin('orders', 'orders.id', 'asked.order_id')
    .innerJoin('order_lines as line', 'line.order_id', 'orders.id')
    .innerJoin('product_versions as sold', (join) =>
      join
        .onRef('sold.product_id', '=', 'line.product_id')
        .onRef('sold.version', '=', 'line.product_version'),
    )
    .select(['sold.name', 'line.quantity', 'orders.total'])
    .where('asked.caller', '=', `player:${playerId}`)
    .where('orders.source', '=', 'chat')
    .orderBy('orders.number', 'desc')
    .limit(1);

type Purchases = ReturnType<typeof selectPurchases>;

const readFirst = async (purchases: Purchases): Promise<ChatPurchase | null> => {
  const found = await purchases.executeTakeFirst();
  return found ? { ...found, total: Number(found.total) } : null;
};

/** The newest thing that a player bought by chat on this server since then. */
export const readLastPurchase = (
  db: Kysely<Tables>,
  line: Pick<ChatLine, 'playerId' | 'serverId'>,
  since: Date,
): Promise<ChatPurchase | null> =>
  readFirst(
    selectPurchases(db, line)
      .where('orders.created_at', '>', since)
      // The key of a line begins with its server.
      .where((where) => where.fn('starts_with', ['asked.key', where.val(`${line.serverId}:`)])),
  );

/** What this very line bought, reported again after a restart of the API. */
export const readPurchaseOf = (
  db: Kysely<Tables>,
  line: Pick<ChatLine, 'playerId' | 'key'>,
): Promise<ChatPurchase | null> => readFirst(selectPurchases(db, line).where('asked.key', '=', line.key));
