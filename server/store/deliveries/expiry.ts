import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { lockDelivery } from './delivery-rows.ts';
import { deskRestored } from './epochs.ts';
import { storeActor } from './settle-delivery.ts';

/** Per sweep. */
const mostAtOnce = 200;

/** Not by a clock that went forward at once since it was bought, and is not believed yet: what expires is lost to its buyer. */
const isExpired = sql<boolean>`(expires_at <= now() and expires_at <= now() - castellan_unproven_time(created_at))`;

/** Cancels and refunds what was not delivered in time. Open deliveries were never sent, or provably without effect. */
export const cancelExpired = async (db: Kysely<Tables>): Promise<void> => {
  const due = await db
    .selectFrom('deliveries')
    .select(['id', sql<boolean>`epoch < (select epoch from store_state)`.as('isRestored')])
    .where('state', 'in', ['pending', 'waiting'])
    .where(isExpired)
    .orderBy('expires_at')
    .limit(mostAtOnce)
    .execute();
  for (const { id, isRestored } of due) {
    // It may have been given since the backup; only the desk asks the game.
    if (isRestored) await deskRestored(db, id);
    else await cancelDue(db, id);
  }
};

const cancelDue = (db: Kysely<Tables>, id: string): Promise<void> =>
  retryDeadlocks(db, async (trx) => {
    const now = await lockDelivery(trx, id);
    if (now?.state !== 'pending' && now?.state !== 'waiting') return;
    // It may have changed while this waited for the lock.
    const { rows } = await sql`select from deliveries where id = ${id} and ${isExpired}`.execute(trx);
    if (rows.length === 0) return;
    await sql`select castellan_cancel_delivery(${id}, ${reasons.expired}, ${storeActor}, null)`.execute(trx);
  });

/** Without a license nothing is delivered and nothing expires; the lost time is added afterwards. */
export const followLicense = async (db: Kysely<Tables>, holds: boolean): Promise<void> => {
  if (!holds) {
    await db
      .updateTable('store_state')
      .set({ unlicensed_since: sql<Date>`now()` })
      .where('unlicensed_since', 'is', null)
      .execute();
    return;
  }
  await retryDeadlocks(db, async (trx) => {
    const { unlicensed_since: since } = await trx
      .selectFrom('store_state')
      .select('unlicensed_since')
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (since === null) return;
    // Nothing can be bought without a license, so every open delivery lost the whole time: all since it was bought, if the clock was
    // years behind when the license was away.
    await trx
      .updateTable('deliveries')
      .set({
        expires_at: sql<Date>`expires_at + greatest(interval '0', now() - greatest(created_at, ${since}::timestamptz))`,
      })
      .where('state', 'in', ['pending', 'waiting', 'sending'])
      .where('expires_at', 'is not', null)
      .execute();
    await trx.updateTable('store_state').set({ unlicensed_since: null }).execute();
  });
};
