import { type Kysely, type Selectable, sql } from 'kysely';
import type { GameId } from '#contracts/servers/games.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { FoundReceiver, OrderFacts } from './decide-order.ts';
import { readHeldPieces, readRegrants } from './held-pieces.ts';
import { foldShopOrder, type ShopPurchase } from './order-state.ts';
import { wantedReceiver } from './receiver.ts';
import type { ShopEvent } from './shop-event.ts';

export type ShopOrderRow = Selectable<Tables['shop_orders']>;
export type ShopRow = Selectable<Tables['shops']>;
type Trx = Kysely<Tables>;

interface GatheredEvents {
  readonly events: readonly ShopEvent[];
  readonly refs: readonly string[];
}

/** All events of one order: those that share a ref with it, with what those share, and so on. */
export const gatherEvents = async (
  trx: Trx,
  shopId: string,
  refs: readonly string[],
): Promise<GatheredEvents> => {
  let known = new Set(refs);
  for (;;) {
    const rows = await trx
      .selectFrom('shop_events')
      .select(['event_id', 'type', 'refs', 'facts'])
      .where('shop_id', '=', shopId)
      .where(sql<boolean>`refs && ${[...known]}::text[]`)
      .execute();
    const found = new Set([...known, ...rows.flatMap((row) => row.refs)]);
    if (found.size === known.size) return { refs: [...found].sort(), events: rows.map(eventOf) };
    known = found;
  }
};

type EventRow = Pick<Selectable<Tables['shop_events']>, 'event_id' | 'type' | 'refs' | 'facts'>;
const eventOf = ({ event_id: eventId, type, refs, facts }: EventRow): ShopEvent => ({
  eventId,
  type,
  refs,
  facts,
});

/** For people: the events of many orders, by the id of the order that each was assigned to. */
export const readEventsOf = async (
  db: Kysely<Tables>,
  orders: readonly Pick<ShopOrderRow, 'id'>[],
): Promise<ReadonlyMap<string, readonly ShopEvent[]>> => {
  if (orders.length === 0) return new Map();
  const rows = await db
    .selectFrom('shop_events')
    .select(['shop_order_id', 'event_id', 'type', 'refs', 'facts'])
    .where(
      'shop_order_id',
      'in',
      orders.map(({ id }) => id),
    )
    .execute();
  const byOrder = Map.groupBy(rows, (row) => row.shop_order_id ?? '');
  return new Map([...byOrder].map(([id, ofOrder]) => [id, ofOrder.map(eventOf)]));
};

/** Everything that decides about an order, read in one transaction. */
export const readOrderFacts = async (trx: Trx, row: ShopOrderRow): Promise<OrderFacts> => {
  const shop = await trx
    .selectFrom('shops')
    .select(['game', 'allows_names'])
    .where('id', '=', row.shop_id)
    .executeTakeFirstOrThrow();
  const { events } = await gatherEvents(trx, row.shop_id, row.refs);
  const fold = foldShopOrder(events);
  const products = await trx
    .selectFrom('shop_products')
    .select(['outside_key as key', 'product_id as productId', 'quantity'])
    .where('shop_id', '=', row.shop_id)
    .orderBy('outside_key')
    .orderBy('product_id')
    .execute();
  return {
    fold,
    products,
    record: {
      given: row.given,
      timesGiven: row.times_given,
      isTaken: row.is_taken,
      takenProducts: row.taken_products,
      held: await readHeldPieces(trx, row),
      regrants: await readRegrants(trx, row),
      decisions: row.decisions,
    },
    receiver: await findReceiver(trx, row, fold.purchase, {
      game: shop.game,
      allowsNames: shop.allows_names,
    }),
  };
};

const unfound = (
  reason: Extract<FoundReceiver, { reason: unknown }>['reason'],
  seenIds: readonly string[] = [],
  seenName: { readonly game: GameId; readonly key: string } | null = null,
): FoundReceiver => ({ reason, seenIds, seenName });

const findReceiver = async (
  trx: Trx,
  { receiver_id, order_id }: ShopOrderRow,
  purchase: ShopPurchase | null,
  { game, allowsNames }: { readonly game: GameId; readonly allowsNames: boolean },
): Promise<FoundReceiver> => {
  if (receiver_id !== null) return findMember(trx, receiver_id);
  // A repeated delivery goes to the same person: the name may now belong to another player.
  if (order_id !== null) return findReceiverOf(trx, order_id);
  if (purchase?.hasSeveralReceivers) return unfound('receiver-several');
  if (!purchase?.receiver) return unfound('receiver-missing');
  const wanted = wantedReceiver(purchase.receiver, game);
  if (wanted.kind === 'unknown') return unfound('receiver-unknown');
  if (wanted.kind === 'member') return findMember(trx, wanted.id);
  if (wanted.kind === 'platform') {
    const player = await trx
      .selectFrom('players')
      .select('member_id')
      .where('identity', '=', wanted.id)
      .executeTakeFirst();
    return player ? { memberId: player.member_id } : unfound('receiver-unseen', [wanted.id]);
  }
  if (!allowsNames) return unfound('receiver-by-name');
  const named = await trx
    .selectFrom('players')
    .select('member_id')
    .where('name_key', '=', wanted.key)
    .where('game', '=', wanted.game)
    .limit(2)
    .execute();
  const [only] = named;
  if (!only) return unfound('receiver-unseen', [], { game: wanted.game, key: wanted.key });
  return named.length === 1 ? { memberId: only.member_id } : unfound('receiver-by-name');
};

const findReceiverOf = async (trx: Trx, orderId: string): Promise<FoundReceiver> => {
  const { receiver_id } = await trx
    .selectFrom('orders')
    .select('receiver_id')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  return findMember(trx, receiver_id);
};

/** After all merges. */
const findMember = async (trx: Trx, id: string): Promise<FoundReceiver> => {
  const { rows } = await sql<{ id: string }>`
    select member.id from members as asked
      join members as member on member.id = coalesce(asked.merged_into, asked.id)
     where asked.id = ${id} and member.erased_at is null`.execute(trx);
  return rows[0] ? { memberId: rows[0].id } : unfound('receiver-unknown');
};
