import { type Kysely, type RawBuilder, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { deskRestored } from './epochs.ts';
import { isForGame } from './role-deliveries.ts';
import { noServerFits } from './servers-gone.ts';
import { storeActor } from './settle-delivery.ts';

/** Per sweep. */
const mostAtOnce = 200;

const isOfShop = sql<boolean>`exists (
  select from orders where orders.id = deliveries.order_id and orders.source = 'shop')`;

/**
 * Cancels an open delivery of an external shop's order. It does not expire, so nothing else would end it; a person is
 * then asked about the shop's order.
 * @returns whether it was cancelled
 */
export const cancelShopDelivery = (
  db: Kysely<Tables>,
  id: string,
  why: string,
  condition: RawBuilder<boolean> = sql`true`,
): Promise<boolean> =>
  retryDeadlocks(db, async (trx) => {
    await sql`select castellan_lock_delivery(${id})`.execute(trx);
    const { rows } = await sql`
      select castellan_cancel_delivery(id, ${why}, ${storeActor}, null) from deliveries
      where id = ${id} and state in ('pending', 'waiting') and ${isOfShop} and ${condition}
        and epoch >= (select epoch from store_state)
        and not exists (select from delivery_attempts where delivery_id = deliveries.id and ended_at is null)`.execute(
      trx,
    );
    return rows.length > 0;
  });

/**
 * Ends what external shops have sold for servers that are no longer in use. A season's delivery keeps waiting: nothing
 * was paid for it, and a server that is put back into use gives it.
 */
export const cancelServerless = async (db: Kysely<Tables>): Promise<void> => {
  const { rows } = await sql<{ readonly id: string; readonly isRestored: boolean }>`
    select id, epoch < (select epoch from store_state) as "isRestored" from deliveries
    where state in ('pending', 'waiting') and waits_for is distinct from 'player' and expires_at is null
      and ${isForGame} and ${isOfShop} and ${noServerFits}
      and not exists (select from delivery_attempts where delivery_id = deliveries.id and ended_at is null)
    order by number limit ${mostAtOnce}`.execute(db);
  for (const { id, isRestored } of rows) {
    // It may have been given since the backup; only the desk can tell.
    if (isRestored) await deskRestored(db, id);
    else await cancelShopDelivery(db, id, reasons['no-server'], noServerFits);
  }
};
