import { type Kysely, sql, type Transaction } from 'kysely';
import type { DeskReason } from '#contracts/desk-reasons.ts';
import { reasons } from '#contracts/reasons.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { retryDeadlocks } from '../database/retry-deadlocks.ts';
import type { Tables } from '../database/tables.ts';
import { recordEvent } from '../events/record-event.ts';
import type { DeliveryDecision } from './decide-delivery.ts';
import {
  type AttemptEnd,
  type AttemptRow,
  type DeliveryRow,
  endAttempt,
  inMs,
  lockDelivery,
} from './delivery-rows.ts';

/** The store, as its ledger names it. */
export const storeActor = 'store:deliveries';

export interface SettleOptions {
  readonly db: Kysely<Tables>;
  /** The product sells no more until a person has looked. */
  readonly holdProduct: (trx: Transaction<Tables>, productId: string, reason: string) => Promise<void>;
}

export interface Settled {
  readonly decision: DeliveryDecision;
  readonly end: Omit<AttemptEnd, 'isSettled'>;
}

const tries = { firstMs: 2000, mostMs: 300_000, jitter: 0.25 };

/** Sends a delivery to the desk, and says so. The caller has locked it. */
export const toDesk = async (
  trx: Kysely<Tables>,
  { id, order_id }: Pick<DeliveryRow, 'id' | 'order_id'>,
  reason: DeskReason,
  serverId: string | null,
): Promise<void> => {
  await recordEvent(
    trx,
    'delivery.needs-decision',
    { deliveryId: id, orderId: order_id, reason },
    serverId === null ? {} : { serverId },
  );
};

/** It never will be: the buyer gets the points back, once. The caller has locked it. */
export const failDelivery = async (
  trx: Transaction<Tables>,
  delivery: DeliveryRow,
  detail: string,
  holdProduct: SettleOptions['holdProduct'],
): Promise<void> => {
  await trx
    .updateTable('deliveries')
    .set({
      state: 'failed',
      certainty: null,
      waits_for: null,
      detail,
      ended_at: sql<Date>`now()`,
      desk_reason: null,
      desk_at: null,
    })
    .where('id', '=', delivery.id)
    .execute();
  // Products are locked before wallets.
  if (delivery.line.kind === 'item') {
    const line = await trx
      .selectFrom('order_lines')
      .select('product_id')
      .where('id', '=', delivery.order_line_id)
      .executeTakeFirstOrThrow();
    await holdProduct(trx, line.product_id, detail);
  }
  await sql`select castellan_refund_delivery(${delivery.id}, ${storeActor}, null)`.execute(trx);
  await recordEvent(trx, 'delivery.failed', { deliveryId: delivery.id, orderId: delivery.order_id, detail });
};

/** Sent again by decision, when the one before was proven meanwhile. */
const ifBothArrived = (id: string, number: number) => sql<Date | null>`(
  select max(now()) from delivery_attempts
  where delivery_id = ${id} and number < ${number} and verdict = 'done' and evidence ? 'isLate')`;

/**
 * Writes down what an attempt came to, if the delivery is still the one that it was: from `sending`, or from the desk
 * where no one has decided.
 * @returns whether it was
 */
export const settleDelivery = async (
  { db, holdProduct }: SettleOptions,
  delivery: DeliveryRow,
  attempt: AttemptRow,
  { decision, end }: Settled,
): Promise<boolean> => {
  const isSettled = decision.state !== 'unknown';
  if (decision.state === 'delivered' && delivery.state === 'sending') {
    // Most of all deliveries: one statement.
    const done = await db
      .with('ended', (query) =>
        endAttempt(query as never, attempt, { ...end, isSettled }).returning('number'),
      )
      .updateTable('deliveries')
      .set({
        state: 'delivered',
        certainty: decision.certainty,
        detail: end.detail,
        ended_at: sql<Date>`now()`,
        ...(delivery.generation > 1 ? { doubled_at: ifBothArrived(delivery.id, attempt.number) } : {}),
      })
      .where('id', '=', delivery.id)
      .where('state', '=', 'sending')
      .where('attempts', '=', attempt.number)
      .executeTakeFirstOrThrow();
    return done.numUpdatedRows === 1n;
  }
  return retryDeadlocks(db, async (trx) => {
    const now = await lockDelivery(trx, delivery.id);
    const isOpen = now?.state === 'sending' || (now?.state === 'unknown' && now.refunded_at === null);
    if (!now || !isOpen || now.attempts !== attempt.number) return false;
    await endAttempt(trx, attempt, { ...end, isSettled }).execute();
    // The same word again.
    if (now.state === 'unknown' && decision.state === 'unknown' && decision.deskReason === now.desk_reason)
      return false;
    if (decision.state === 'failed') {
      await failDelivery(trx, now, end.detail ?? reasons.refused, holdProduct);
      return true;
    }
    const isDesk = decision.state === 'unknown';
    await trx
      .updateTable('deliveries')
      .set({
        state: decision.state,
        certainty: decision.state === 'delivered' ? decision.certainty : null,
        waits_for: decision.state === 'waiting' ? decision.waitsFor : null,
        detail: end.detail,
        ended_at: decision.state === 'delivered' ? sql<Date>`now()` : null,
        desk_reason: isDesk ? decision.deskReason : null,
        desk_at: isDesk ? sql<Date>`now()` : null,
        ...(decision.state === 'waiting'
          ? {
              next_try_at: inMs(backOffDelay(tries, Math.max(1, attempt.number), Math.random())),
              ...(decision.renews ? { generation: now.generation + 1 } : {}),
            }
          : {}),
      })
      .where('id', '=', now.id)
      .execute();
    if (isDesk) await toDesk(trx, now, decision.deskReason, attempt.server_id);
    return true;
  });
};
