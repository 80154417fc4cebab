import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import type { StorefrontContext } from '../storefront-context.ts';
import { lockEvents } from './take-event.ts';

/** Longer than banks let buyers dispute a payment, and than any shop repeats an event. */
export const keptDays = 400;
const dayMs = 86_400_000;
/** Per transaction, during which the shop's events wait. */
const mostAtOnce = 1000;

/**
 * Deletes old events that concern no order. An order keeps its events: its state is computed from all of them, a refund may
 * come after years, and a repeated event, which anyone can send with an old Tebex signature, is recognized by its id.
 */
export const pruneEvents = async (
  { db, now }: Pick<StorefrontContext, 'db' | 'now'>,
  signal: AbortSignal,
): Promise<number> => {
  const before = new Date(now() - keptDays * dayMs);
  const shops = await db.selectFrom('shops').select('id').execute();
  let deleted = 0;
  for (const { id } of shops) {
    for (let isDone = false; !isDone && !signal.aborted; ) {
      const count = await pruneSome(db, id, before);
      deleted += count;
      isDone = count < mostAtOnce;
    }
  }
  return deleted;
};

const pruneSome = (db: Kysely<Tables>, shopId: string, before: Date): Promise<number> =>
  db.transaction().execute(async (trx) => {
    // A purchase that arrives now also takes the earlier events.
    await lockEvents(trx, shopId);
    const { numAffectedRows } = await sql`
      delete from shop_events where shop_id = ${shopId} and event_id in (
        select event_id from shop_events
         where shop_id = ${shopId} and shop_order_id is null and arrived_at < ${before}::timestamptz - castellan_unproven_time() limit ${mostAtOnce})`.execute(
      trx,
    );
    return Number(numAffectedRows ?? 0n);
  });
