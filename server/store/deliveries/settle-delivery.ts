import { type Kysely, sql, type Transaction } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { DeliveryCertainty } from '#contracts/store/deliveries.ts';
import type { DeskReason } from '#contracts/store/desk-reasons.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { createGroupCommit } from '#runtime/database/group-commit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { holdProduct } from '../catalogue/hold-product.ts';
import type { StoreContext } from '../store-context.ts';
import type { DeliveryDecision } from './decide-delivery.ts';
import {
  type AttemptEnd,
  type AttemptRow,
  type DeliveryRow,
  endAttempt,
  inMs,
  isOpenFor,
  lockDelivery,
  lockPolicy,
} from './delivery-rows.ts';

/** The store as an actor of the ledger. */
export const storeActor = 'store:deliveries';

export interface Settled {
  readonly decision: DeliveryDecision;
  readonly end: Omit<AttemptEnd, 'isSettled'>;
}

const tries = { firstMs: 2000, mostMs: 300_000, jitter: 0.25 };

/** Records that a delivery needs a decision. The caller has locked it. */
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

/** Fails a delivery permanently and refunds it, once. The caller has locked it. */
export const failDelivery = async (
  trx: Transaction<Tables>,
  delivery: DeliveryRow,
  detail: string,
  now: Date,
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
      .select(['product_id as productId', 'product_version as version'])
      .where('id', '=', delivery.order_line_id)
      .executeTakeFirstOrThrow();
    await holdProduct(trx, { ...line, item: delivery.line.item }, detail, now);
  }
  await sql`select castellan_refund_delivery(${delivery.id}, ${storeActor}, null)`.execute(trx);
  await recordEvent(trx, 'delivery.failed', {
    deliveryId: delivery.id,
    orderId: delivery.order_id,
    detail,
    points: Number(delivery.points),
  });
};

interface Arrival {
  readonly attempt: AttemptRow;
  readonly certainty: DeliveryCertainty;
  readonly end: Settled['end'];
}

/** The common case, so one statement for many. @returns for each, whether it was `sending` and not locked elsewhere */
const settleArrived = async (
  db: Kysely<Tables>,
  arrivals: readonly Arrival[],
): Promise<readonly boolean[]> => {
  const column = <Value>(read: (arrival: Arrival) => Value): Value[] => arrivals.map(read);
  const ids = column(({ attempt }) => attempt.delivery_id);
  const { rows } = await sql<{ readonly id: string }>`
    with ended as (
      select * from unnest(
        ${ids}::uuid[],
        ${column(({ attempt }) => attempt.number)}::integer[],
        ${column(({ certainty }) => certainty)}::text[],
        ${column(({ end }) => end.outcome)}::text[],
        ${column(({ end }) => end.reply)}::text[],
        ${column(({ end }) => end.verdict)}::text[],
        ${column(({ end }) => end.detail)}::text[],
        ${column(({ end }) => JSON.stringify(end.evidence))}::text[]
      ) as ended (id, number, certainty, outcome, reply, verdict, detail, evidence)
    ), locked as (
      select id, state, attempts from deliveries where id = any (${ids}::uuid[]) order by id
      for no key update ${lockPolicy(arrivals)}
    ), kept as (
      update delivery_attempts as attempt set
        outcome = coalesce(ended.outcome, attempt.outcome), reply = coalesce(ended.reply, attempt.reply),
        verdict = coalesce(ended.verdict, attempt.verdict), detail = coalesce(ended.detail, attempt.detail),
        evidence = attempt.evidence || ended.evidence::jsonb, ended_at = now()
      from ended join locked using (id)
      where attempt.delivery_id = ended.id and attempt.number = ended.number
        and locked.state = 'sending' and locked.attempts = ended.number
    )
    update deliveries set
      state = 'delivered', certainty = ended.certainty, detail = ended.detail, ended_at = now(),
      -- Sent again by decision, after the previous attempt had been proven.
      doubled_at = case when deliveries.generation = 1 then deliveries.doubled_at else (
        select max(now()) from delivery_attempts as former
        where former.delivery_id = ended.id and former.number < ended.number
          and former.verdict = 'done' and former.evidence ? 'isLate') end
    from ended join locked using (id)
    where deliveries.id = ended.id and locked.state = 'sending' and locked.attempts = ended.number
    returning deliveries.id`.execute(db);
  const settled = new Set(rows.map(({ id }) => id));
  return ids.map((id) => settled.has(id));
};

/** Per transaction. */
const mostArrivals = 100;

/** `elsewhere`: the delivery has left the attempt, so that nothing was stored. */
export type Settlement = 'changed' | 'same' | 'elsewhere';

/** Stores the verdict on an attempt, if its delivery still waits for it: `sending`, or at the desk and undecided. */
export const createSettleDelivery = ({ db, now: clock }: Pick<StoreContext, 'db' | 'now'>) => {
  const arrive = createGroupCommit<Arrival, boolean>({
    commit: (arrivals) => settleArrived(db, arrivals),
    keyOf: ({ attempt }) => attempt.delivery_id,
    mostAtOnce: mostArrivals,
  });
  return async (
    delivery: DeliveryRow,
    attempt: AttemptRow,
    { decision, end }: Settled,
  ): Promise<Settlement> => {
    const isSettled = decision.state !== 'unknown';
    if (decision.state === 'delivered' && delivery.state === 'sending') {
      const arrival = { attempt, certainty: decision.certainty, end };
      const isArrived = (await arrive(arrival)) || (await settleArrived(db, [arrival]))[0] === true;
      if (isArrived) return 'changed';
    }
    return retryDeadlocks(db, async (trx) => {
      const now = await lockDelivery(trx, delivery.id);
      if (!now || !isOpenFor(now, attempt)) return 'elsewhere';
      await endAttempt(trx, attempt, { ...end, isSettled }).execute();
      // The verdict is the same as before.
      if (now.state === 'unknown' && decision.state === 'unknown' && decision.deskReason === now.desk_reason)
        return 'same';
      if (decision.state === 'failed') {
        await failDelivery(trx, now, end.detail ?? reasons.refused, new Date(clock()));
        return 'changed';
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
      return 'changed';
    });
  };
};
