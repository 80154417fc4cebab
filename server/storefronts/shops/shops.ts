import { type Kysely, sql } from 'kysely';
import { limitConcurrency } from '#runtime/limit-concurrency.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { StorefrontContext } from '../storefront-context.ts';
import { pruneEvents } from './prune-events.ts';
import { createReceiveWebhook } from './receive-webhook.ts';
import { type SettlingContext, settleOrder } from './settle-order.ts';
import { createShopOrders } from './shop-orders.ts';
import { createShopSettings } from './shop-settings.ts';

const sweepMs = 30_000;
/** A join is not reported before its player is written; what this check misses is found by the sweep. */
const restMs = 1000;

/**
 * Reopens orders of which a delivery was undone, or counts again. What counts again in an order that was taken back must be
 * taken back once more; a later delivery of a line, a daily kit, does not count as such.
 */
const reopenUndone = (db: Kysely<Tables>): Promise<unknown> =>
  retryDeadlocks(db, (trx) =>
    sql`
      with news as (delete from shop_order_news returning order_id), told as (select array_agg(order_id) as ids from news),
      counting as (
        select distinct wanted.id, sold.product_id
          from told join shop_orders as wanted on wanted.order_id = any (told.ids) or wanted.added_order_ids && told.ids
          join deliveries on deliveries.order_id = any (wanted.order_id || wanted.added_order_ids)
          join order_lines as sold on sold.id = deliveries.order_line_id
         where deliveries.refunded_at is null and deliveries.created_at = (
           select min(created_at) from deliveries as made where made.order_id = deliveries.order_id))
      update shop_orders as wanted
         set state = 'open', version = version + 1, is_taken = false,
             taken_products = array(
               select unnest(taken_products) except select product_id from counting where counting.id = wanted.id)
        from told
       where (order_id = any (told.ids) or added_order_ids && told.ids)
         and (not is_taken or exists (select from counting where counting.id = wanted.id))`.execute(trx),
  );

/** Outside shops: their settings, the events that they send, and the resulting orders. */
export type Shops = ReturnType<typeof createShops>;

export const createShops = (
  context: Pick<StorefrontContext, 'db' | 'secrets' | 'members' | 'memberNames' | 'licenseHolds' | 'now'> &
    SettlingContext,
  /** How many orders one sweep settles; the next one continues after them. */
  mostSwept = 500,
) => {
  const { db, licenseHolds, log } = context;
  const owned = new AsyncDisposableStack();
  const underWay = new Set<Promise<void>>();
  // An order needs connections of the pool: what waits here holds none.
  const inTurn = limitConcurrency({
    maxRunning: 2,
    maxWaiting: 10_000,
    tooManyWaiting: () => new Error('too many orders of shops wait; the sweep settles them'),
    isHopeless: () => false,
  });

  const inBackground = (work: Promise<void>): void => {
    const running = work
      .catch((error: unknown) =>
        log.warn({ err: error }, 'could not settle external orders; the next sweep will retry'),
      )
      .finally(() => underWay.delete(running));
    underWay.add(running);
  };
  /** Without a license events are kept; orders are settled once it is valid again. */
  const settle = async (id: string): Promise<void> => {
    if (!licenseHolds()) return;
    const { tried } = await inTurn(() => settleOrder(context, id));
    // A hanging game does not hold up other orders.
    if (tried) inBackground(tried.then(() => settle(id)));
  };
  owned.defer(async () => {
    await Promise.allSettled(underWay);
  });

  /** Where the last sweep stopped, if it left some: many that cannot be settled now keep no other from its turn. */
  let sweptUpTo = '0';

  /** Settles what is open, such as what a dead process has left. */
  const sweep = async (): Promise<void> => {
    if (!licenseHolds()) return;
    await reopenUndone(db);
    const { rows } = await sql<{ id: string; number: string }>`
      select id, number from shop_orders as wanted
       where state = 'open'
          or state = 'waiting' and (
               exists (select from players where identity = any (wanted.seen_ids))
               or exists (select from players where name_key = wanted.seen_name and game = wanted.seen_game))
       order by reason is not distinct from 'taking-back', number <= ${sweptUpTo}, number limit ${mostSwept}`.execute(
      db,
    );
    sweptUpTo = rows.length < mostSwept ? '0' : (rows.at(-1)?.number ?? '0');
    for (const { id } of rows)
      await settle(id).catch((error: unknown) =>
        log.warn({ err: error, shopOrder: id }, 'could not settle an external order; will retry'),
      );
  };

  let timer: NodeJS.Timeout | undefined;
  owned.defer(() => clearTimeout(timer));

  return {
    settings: createShopSettings(context, () => inBackground(sweep())),
    orders: createShopOrders(context, settle),
    receive: createReceiveWebhook(context, (id) => inBackground(settle(id))),
    maintenance: {
      name: 'events of outside shops',
      run: (signal: AbortSignal) => pruneEvents(context, signal),
    },
    /** Call it when a player has joined a server: what waited for them is given. */
    onPlayersPresent(): void {
      timer ??= setTimeout(() => {
        timer = undefined;
        inBackground(sweep());
      }, restMs).unref();
    },
    sweep,
    /** Starts sweeping; call it once the schema is ready. */
    begin(): void {
      owned.use(
        runPeriodically({
          intervalMs: sweepMs,
          startsAtOnce: true,
          work: sweep,
          failure: 'could not check external orders',
          log,
        }),
      );
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
