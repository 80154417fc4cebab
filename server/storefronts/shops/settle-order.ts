import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { OrderDetails } from '#contracts/store/orders.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Orders } from '../../store/orders.ts';
import type { StorefrontContext } from '../storefront-context.ts';
import { decideOrder, type NextStep, type OrderFacts, type Resting } from './decide-order.ts';
import { leftOf, ordersOf, readLeftInGame } from './left-in-game.ts';
import { readOrderFacts, type ShopOrderRow } from './read-shop-order.ts';

type Trx = Kysely<Tables>;
type Giving = Extract<NextStep, { do: 'give' }>;

/** With what orders of shops are brought in line with their shops. */
export interface SettlingContext extends Pick<StorefrontContext, 'db' | 'log'> {
  readonly store: { readonly orders: Pick<Orders, 'place' | 'takeBack'> };
}

interface TakenOne {
  /** Why not everything that can be taken back has been; null if it has. */
  readonly hindrance: string | null;
  /** Null: nothing new was refunded. */
  readonly tried: Promise<void> | null;
}

interface Settled {
  /** Resolves once games were asked to take something back, which is the time to check again; null: they were not. */
  readonly tried: Promise<unknown> | null;
}
interface Taken extends Settled {
  /** Everything that can be taken back has been. */
  readonly isAll: boolean;
}
const atRest: Settled = { tried: null };

/** An outside shop, which acts through the events that it signs. */
const shopActor = (id: string, name: string): Actor => ({
  kind: 'shop',
  id,
  name,
  permissions: new Set(),
  serverPermissions: new Map(),
});

/** Events that arrive while an order is settled lead to another step; after this many, the rest is left to the sweep. */
const mostSteps = 10;

const lockOrder = (trx: Trx, id: string) =>
  trx.selectFrom('shop_orders').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

const byShop = async (db: Kysely<Tables>, shopId: string): Promise<AuditContext> => {
  const { name } = await db
    .selectFrom('shops')
    .select('name')
    .where('id', '=', shopId)
    .executeTakeFirstOrThrow();
  return { actor: shopActor(shopId, name), address: '' };
};

/** Decides the next step; if there is nothing to do, records that. */
const step = (db: Kysely<Tables>, id: string) =>
  retryDeadlocks(db, async (trx) => {
    const row = await lockOrder(trx, id);
    if (!row) return null;
    const facts = await readOrderFacts(trx, row);
    // Once begun, taking back runs to the end: what a dispute won in between means is decided afterwards.
    const isTaking = row.order_id !== null && row.taking_order_id === row.order_id && !row.is_taken;
    const next = isTaking ? ({ do: 'take', productIds: null } as const) : decideOrder(facts);
    if (next.do !== 'rest') return { row, next };
    await comeToRest(trx, row, next, facts);
    return null;
  });

const place = async (
  { db, store }: SettlingContext,
  row: ShopOrderRow,
  giving: Giving,
): Promise<OrderDetails | Refusal> => {
  const { id, shop_id, times_given } = row;
  const { memberId, lines, pieces, isAdded } = giving;
  return store.orders.place(
    {
      memberId,
      isTest: false,
      lines: [...pieces],
    },
    `shop-order:${id}:${times_given + 1}`,
    await byShop(db, shop_id),
    {
      source: 'shop',
      isPaidOutside: true,
      ignoresLimits: true,
      async alongside(trx, orderId) {
        const current = await lockOrder(trx, id);
        if (!current) return refuse('NOT_FOUND');
        const facts = await readOrderFacts(trx, current);
        // A refund may have come since, or another process has given it.
        if (current.times_given !== times_given || !isDeepStrictEqual(decideOrder(facts), giving))
          return changedMeanwhile;
        await trx
          .updateTable('shop_orders')
          .set({
            ...(isAdded
              ? { added_order_ids: [...current.added_order_ids, orderId] }
              : {
                  order_id: orderId,
                  added_order_ids: [],
                  given: JSON.stringify(lines),
                  is_taken: false,
                  taken_products: [],
                }),
            times_given: times_given + 1,
            state: 'given',
            reason: null,
            reason_key: null,
            detail: '',
            seen_ids: [],
            seen_name: null,
            seen_game: null,
            version: current.version + 1,
          })
          .where('id', '=', id)
          .execute();
        return null;
      },
    },
  );
};

/** The store refuses to give it, so a person has to handle it. */
const leaveToPerson = (db: Kysely<Tables>, row: ShopOrderRow, { refused, detail = refused }: Refusal) =>
  retryDeadlocks(db, async (trx) => {
    const current = await lockOrder(trx, row.id);
    if (current?.version !== row.version) return;
    const reason = refused === 'MEMBER_GONE' ? 'receiver-unknown' : 'product-refused';
    const text = storableText(detail, 500);
    const isAside = current.decisions[reason] === 'set-aside';
    await comeToRest(
      trx,
      current,
      { do: 'rest', state: isAside ? 'set-aside' : 'person', reason, detail: text, key: reason },
      await readOrderFacts(trx, current),
    );
  });

const lineIdsOf = async (db: Kysely<Tables>, orderId: string, productIds: readonly string[]) => {
  const lines = await db
    .selectFrom('order_lines')
    .select('id')
    .where('order_id', '=', orderId)
    .where('product_id', 'in', productIds)
    .execute();
  return lines.map(({ id }) => id);
};

/** Takes back one store order. */
const takeOne = async (
  { db, store }: SettlingContext,
  { id, shop_id, order_id }: ShopOrderRow,
  orderId: string,
  productIds: readonly string[] | null,
): Promise<TakenOne> => {
  const lineIds = productIds === null ? null : await lineIdsOf(db, orderId, productIds);
  if (lineIds?.length === 0) return { hindrance: null, tried: null };
  let isRefunded = false;
  const taken = await store.orders.takeBack(orderId, lineIds, await byShop(db, shop_id), async (trx) => {
    isRefunded = true;
    if (productIds !== null) return;
    await trx
      .updateTable('shop_orders')
      .set({ taking_order_id: order_id })
      .where('id', '=', id)
      .where('order_id', '=', order_id)
      .execute();
  });
  if (isRefusal(taken)) return { hindrance: taken.detail ?? taken.refused, tried: null };
  return { hindrance: taken.hindrance, tried: isRefunded ? taken.tried : null };
};

/** The sweep retries what cannot be taken back at the moment. */
const take = async (
  context: SettlingContext,
  row: ShopOrderRow,
  productIds: readonly string[] | null,
): Promise<Taken> => {
  const { db, log } = context;
  const { id, order_id: first } = row;
  if (first === null) throw new Error('an order was given that is not known');
  const taken: TakenOne[] = [];
  // A hindered order does not hold up the others.
  for (const orderId of [...row.added_order_ids, first])
    taken.push(await takeOne(context, row, orderId, productIds));
  const hindrance = taken.find((one) => one.hindrance !== null)?.hindrance ?? null;
  if (hindrance !== null) {
    await db
      .updateTable('shop_orders')
      .set({ state: 'open', reason: 'taking-back', detail: storableText(hindrance, 500) })
      .where('id', '=', id)
      .where('order_id', '=', first)
      .where('is_taken', '=', false)
      .execute();
    log.info(
      { shopOrder: id, hindrance },
      'could not remove the deliveries of an external order; the next sweep will retry',
    );
    const tried = taken.flatMap((one) => one.tried ?? []);
    return { isAll: false, tried: tried.length > 0 ? Promise.all(tried) : null };
  }
  await db
    .updateTable('shop_orders')
    .set(
      productIds === null
        ? { is_taken: true }
        : { taken_products: sql<string[]>`taken_products || ${[...productIds]}::text[]` },
    )
    .where('id', '=', id)
    // If more was given or charged again in between, it holds what was not taken: the next step handles that.
    .where('version', '=', row.version)
    .execute();
  return { isAll: true, tried: null };
};

/**
 * Brings the store in line with the state of a shop's order. All deciding facts are in the tables, and each step is a
 * separate transaction: if the process dies between two, the next call continues, and nothing is done twice.
 */
export const settleOrder = async (context: SettlingContext, id: string): Promise<Settled> => {
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const decided = await step(context.db, id);
    if (!decided) return atRest;
    const { row, next } = decided;
    if (next.do === 'take') {
      const taken = await take(context, row, next.productIds);
      if (!taken.isAll) return taken;
      continue;
    }
    const placed = await place(context, row, next);
    if (!isRefusal(placed) || placed === changedMeanwhile) continue;
    await leaveToPerson(context.db, row, placed);
    return atRest;
  }
  return atRest;
};

const changedMeanwhile = refuse('CONFLICT');

/** Records that there is nothing to do, and reports it if that is new. */
const comeToRest = async (
  trx: Trx,
  row: ShopOrderRow,
  { state, reason, detail, key }: Resting,
  { receiver }: Pick<OrderFacts, 'receiver'>,
): Promise<void> => {
  const waits = state === 'waiting' && 'reason' in receiver ? receiver : { seenIds: [], seenName: null };
  await trx
    .updateTable('shop_orders')
    .set({
      state,
      reason,
      detail,
      reason_key: key,
      seen_ids: [...waits.seenIds],
      seen_name: waits.seenName?.key ?? null,
      seen_game: waits.seenName?.game ?? null,
    })
    .where('id', '=', row.id)
    .execute();
  // After an event that changed nothing, this is no news.
  if (row.reason_key === key || (state !== 'person' && state !== 'taken-back') || reason === null) return;
  const shop = await trx
    .selectFrom('shops')
    .select('name')
    .where('id', '=', row.shop_id)
    .executeTakeFirstOrThrow();
  const order = { shopId: row.shop_id, shop: shop.name, order: row.external_id, reason };
  if (state === 'person') {
    await recordEvent(trx, 'shop.order-waits', order);
    return;
  }
  const left = leftOf(row, await readLeftInGame(trx, ordersOf(row)));
  await recordEvent(trx, 'shop.order-taken-back', { ...order, left: left.map(({ product }) => product) });
};
