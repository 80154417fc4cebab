import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql } from 'kysely';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { foldShopOrder } from './order-state.ts';
import { gatherEvents } from './read-shop-order.ts';
import type { ShopEvent } from './shop-event.ts';

type Trx = Kysely<Tables>;

interface TakenEvent {
  /**
   * - `conflict`: the id is known, with other content; only its count was changed
   * - `no-shop`: the shop was removed in between
   */
  readonly outcome: 'taken' | 'repeated' | 'conflict' | 'no-shop';
  /** The order that it concerns, to be settled now. */
  readonly shopOrderId: string | null;
}

/**
 * Covers what is kept rather than the bytes: when a shop repeats an event, it may write other things around it, such as how
 * many of its receivers have not answered yet.
 */
const digestOf = ({ type, refs, facts }: ShopEvent): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([type, [...refs].sort(), facts]))
    .digest();

/** Until the transaction ends, no other one stores or deletes events of this shop. */
export const lockEvents = async (trx: Trx, shopId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`shop:${shopId}`}, 0))`.execute(trx);
};

/** Stores an event whose signature was checked, and marks its order for settling, in one transaction. */
export const takeEvent = (
  db: Kysely<Tables>,
  shop: { readonly id: string; readonly name: string },
  event: ShopEvent,
): Promise<TakenEvent> => {
  const digest = digestOf(event);
  return retryDeadlocks(db, async (trx) => {
    // Two events that join two orders into one must see each other.
    await lockEvents(trx, shop.id);
    const known = await trx.selectFrom('shops').select('id').where('id', '=', shop.id).executeTakeFirst();
    if (!known) return { outcome: 'no-shop', shopOrderId: null };
    const inserted = await trx
      .insertInto('shop_events')
      .values({
        shop_id: shop.id,
        event_id: event.eventId,
        type: event.type,
        digest,
        refs: [...new Set(event.refs)],
        facts: JSON.stringify(event.facts),
      })
      .onConflict((conflict) => conflict.columns(['shop_id', 'event_id']).doNothing())
      .returning('event_id')
      .executeTakeFirst();
    if (!inserted) return takeAgain(trx, shop, event, digest);
    if (event.refs.length === 0) return { outcome: 'taken', shopOrderId: null };
    return { outcome: 'taken', shopOrderId: await markOrder(trx, shop, event) };
  });
};

type KnownEvent = Pick<Selectable<Tables['shop_events']>, 'digest' | 'type' | 'refs' | 'facts'>;

/** The digest alone is not enough: an update corrects the amounts read from earlier events. */
const isSame = (known: KnownEvent, { type, refs, facts }: ShopEvent, digest: Buffer): boolean =>
  known.digest.equals(digest) ||
  isDeepStrictEqual(
    [known.type, [...known.refs].sort(), known.facts],
    [type, [...new Set(refs)].sort(), JSON.parse(JSON.stringify(facts))],
  );

/** Kept by a version that could not read events of its type. */
const wasUnread = (known: KnownEvent, { type }: ShopEvent): boolean =>
  known.type === type && known.facts.kind === 'nothing' && known.refs.length === 0;

const takeAgain = async (
  trx: Trx,
  shop: { readonly id: string; readonly name: string },
  event: ShopEvent,
  digest: Buffer,
): Promise<TakenEvent> => {
  const known = await trx
    .selectFrom('shop_events')
    .select(['digest', 'type', 'refs', 'facts'])
    .where('shop_id', '=', shop.id)
    .where('event_id', '=', event.eventId)
    .executeTakeFirstOrThrow();
  if (isSame(known, event, digest)) return { outcome: 'repeated', shopOrderId: null };
  const isRead = wasUnread(known, event);
  await trx
    .updateTable('shop_events')
    .set(
      isRead
        ? { digest, refs: [...new Set(event.refs)], facts: JSON.stringify(event.facts) }
        : { conflicts: sql`conflicts + 1` },
    )
    .where('shop_id', '=', shop.id)
    .where('event_id', '=', event.eventId)
    .execute();
  if (!isRead) return { outcome: 'conflict', shopOrderId: null };
  return { outcome: 'taken', shopOrderId: await markOrder(trx, shop, event) };
};

/** @returns the event's order, once its purchase has arrived */
const markOrder = async (
  trx: Trx,
  shop: { readonly id: string; readonly name: string },
  event: ShopEvent,
): Promise<string | null> => {
  const { events, refs } = await gatherEvents(trx, shop.id, event.refs);
  const { purchase } = foldShopOrder(events);
  if (!purchase) return null;
  // An order known under another of its ids stays that order.
  const known = await trx
    .selectFrom('shop_orders')
    .select('id')
    .where('shop_id', '=', shop.id)
    .where(sql<boolean>`refs && ${[...refs]}::text[]`)
    .orderBy('number')
    .executeTakeFirst();
  const id = known?.id ?? createId();
  if (known)
    await trx
      .updateTable('shop_orders')
      .set({ refs: [...refs], state: 'open', version: sql`version + 1` })
      .where('id', '=', id)
      .execute();
  else {
    await trx
      .insertInto('shop_orders')
      .values({ id, shop_id: shop.id, external_id: purchase.externalId, refs: [...refs] })
      .execute();
    await recordEvent(trx, 'shop.order-arrived', {
      shopId: shop.id,
      shop: shop.name,
      order: purchase.externalId,
    });
  }
  await trx
    .updateTable('shop_events')
    .set({ shop_order_id: id })
    .where('shop_id', '=', shop.id)
    .where('shop_order_id', 'is', null)
    .where(sql<boolean>`refs && ${[...refs]}::text[]`)
    .execute();
  return id;
};
