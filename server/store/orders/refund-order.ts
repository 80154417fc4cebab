import { type Kysely, sql, type Transaction } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { DeliveryState } from '#contracts/store/deliveries.ts';
import { actorReference } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { planCounterCommands } from '../deliveries/counter-commands.ts';
import type { Withdrawal } from '../deliveries/withdraw-gift.ts';
import type { OrderingContext } from './order-terms.ts';
import { lockProducts, transact } from './transact.ts';

export interface RefundTerms {
  /** Refunds what can be refunded now; without it, all or nothing. */
  readonly isPartial: boolean;
  /** Runs in the transaction if it refunds something. */
  readonly alongside?: (trx: Transaction<Tables>) => Promise<unknown>;
}

interface Refunded {
  /** Why part of it is not refunded yet; null if all is. */
  readonly hindrance: string | null;
  /** Resolves after the removals were tried, which waits for games. */
  readonly tried: Promise<void>;
}

type Trx = Kysely<Tables>;

/** Deliveries not refunded yet. */
const openDeliveries = (trx: Trx, orderId: string, lineIds: readonly string[] | null) =>
  trx
    .selectFrom('deliveries')
    .innerJoin('order_lines', 'order_lines.id', 'deliveries.order_line_id')
    .select([
      'deliveries.id',
      'deliveries.state',
      'deliveries.generation',
      'deliveries.attempts',
      'deliveries.order_line_id',
      'order_lines.product_id',
      mayBeSent.as('mayBeSent'),
      isUnsettled.as('isUnsettled'),
    ])
    .where('deliveries.order_id', '=', orderId)
    .where('deliveries.refunded_at', 'is', null)
    .$if(lineIds !== null, (query) => query.where('deliveries.order_line_id', 'in', lineIds ?? []))
    .orderBy('deliveries.id');

/** Outside the transaction: asking the game is slow. */
const withdrawSent = async (
  { db, deliveries }: Pick<OrderingContext, 'db' | 'deliveries'>,
  orderId: string,
  lineIds: readonly string[] | null,
): Promise<Withdrawn> => {
  const sent = await openDeliveries(db, orderId, lineIds).where(mayBeSent).execute();
  const withdrawn =
    sent.length > 0 ? await deliveries.withdraw(sent.map(({ id }) => id)) : new Map<string, Withdrawal>();
  return new Map(
    sent.map((delivery) => [
      delivery.id,
      { ...delivery, withdrawal: withdrawn.get(delivery.id) ?? ('away' as const) },
    ]),
  );
};

/** @param lineIds null: all lines */
export const refundOrder = async (
  context: Pick<OrderingContext, 'db' | 'deliveries' | 'log'>,
  orderId: string,
  lineIds: readonly string[] | null,
  by: AuditContext,
  { isPartial, alongside }: RefundTerms = wholeOrder,
): Promise<Refunded | Refusal> => {
  const { db, deliveries, log } = context;
  const withdrawn = await withdrawSent(context, orderId, lineIds);
  const who = { actor: actorReference(by.actor), name: by.actor.name };
  const refunded = await transact(db, async (trx) => {
    const order = await trx
      .selectFrom('orders')
      .select('id')
      .where('id', '=', orderId)
      .forUpdate()
      .executeTakeFirst();
    if (!order) return refuse('NOT_FOUND', reasons['order-unknown']);
    if (lineIds && (await countLines(trx, orderId, lineIds)) < new Set(lineIds).size)
      return refuse('NOT_FOUND', reasons['order-line-unknown']);
    const found = await openDeliveries(trx, orderId, lineIds).forUpdate('deliveries').execute();
    const [hindrance = null] = found.flatMap((one) => findHindrance(one, withdrawn) ?? []);
    if (hindrance !== null && !isPartial) return refuse('DELIVERY_STATE', hindrance);
    const open = found.filter((one) => findHindrance(one, withdrawn) === null);
    if (open.length === 0) return { hindrance };
    const stocks = await readStocks(
      trx,
      open.map(({ order_line_id }) => order_line_id),
    );
    await lockProducts(trx, [...new Set([...open.map(({ product_id }) => product_id), ...stocks])]);
    const idsIn = (...states: readonly DeliveryState[]) =>
      open.filter(({ state }) => states.includes(state)).map(({ id }) => id);
    for (const delivery of open.filter(({ state }) => state === 'unknown'))
      await sql`select castellan_refund_undelivered(
        ${delivery.id}, ${withdrawalOf(delivery, withdrawn) === 'safe'}, ${refundedWithOrder}, ${who.actor}, ${who.name})`.execute(
        trx,
      );
    const waiting = idsIn('pending', 'waiting', 'failed');
    // After a restore, these were withdrawn just now.
    if (waiting.length > 0)
      await trx
        .updateTable('deliveries')
        .set({ epoch: sql<number>`(select epoch from store_state)` })
        .where('id', 'in', waiting)
        .where(mayBeSent)
        .execute();
    for (const id of waiting)
      await sql`select castellan_cancel_delivery(${id}, ${refundedWithOrder}, ${who.actor}, ${who.name})`.execute(
        trx,
      );
    const delivered = idsIn('delivered');
    for (const id of delivered)
      await sql`select castellan_refund_delivery(${id}, ${who.actor}, ${who.name})`.execute(trx);
    await planCounterCommands(trx, delivered);
    const ids = open.map(({ id }) => id);
    // The refund is the decision that the desk was waiting for.
    const rows = await trx
      .updateTable('deliveries')
      .set({ desk_reason: null, desk_at: null })
      .where('id', 'in', ids)
      .returning('points')
      .execute();
    const points = rows.reduce((sum, row) => sum + Number(row.points), 0);
    await recordAudit(trx, {
      ...by,
      action: 'orders.refund',
      target: `order:${orderId}`,
      after: { lineIds, deliveryIds: ids, points },
    });
    await alongside?.(trx);
    return { hindrance };
  });
  if (isRefusal(refunded)) return refunded;
  // The refund has committed, and its removals are recorded; a failure here must not hide that.
  const tried = deliveries.counterCommands
    .sendFor(orderId)
    .catch((error: unknown) =>
      log.error(
        { err: error, orderId },
        'could not remove the deliveries of a refunded order; will retry later',
      ),
    );
  return { ...refunded, tried };
};

const wholeOrder: RefundTerms = { isPartial: false };
const refundedWithOrder = reasons['refunded-with-order'];

/** The result is unknown, or the database was restored and lacks what was sent since its backup. */
const mayBeSent = sql<boolean>`(deliveries.state = 'unknown'
  or deliveries.state in ('pending', 'waiting') and deliveries.epoch < (select epoch from store_state))`;

/** What an earlier attempt has sent is not settled: such a delivery cannot be cancelled. */
const isUnsettled = sql<boolean>`(deliveries.state in ('pending', 'waiting', 'failed') and exists (
  select from delivery_attempts as attempt where attempt.delivery_id = deliveries.id and attempt.ended_at is null))`;

interface OpenDelivery {
  readonly id: string;
  readonly state: DeliveryState;
  readonly generation: number;
  readonly attempts: number;
  readonly mayBeSent: boolean;
  readonly isUnsettled: boolean;
}
/** Deliveries as they were when their games were asked. */
type Withdrawn = ReadonlyMap<string, OpenDelivery & { readonly withdrawal: Withdrawal }>;

/** The game's answer; null if the delivery has changed since. */
const withdrawalOf = (
  { id, generation, attempts }: OpenDelivery,
  withdrawn: Withdrawn,
): Withdrawal | null => {
  const asked = withdrawn.get(id);
  return asked?.generation === generation && asked.attempts === attempts ? asked.withdrawal : null;
};

/** Why it cannot be refunded now; null if it can. */
const findHindrance = (delivery: OpenDelivery, withdrawn: Withdrawn): string | null => {
  if (delivery.state === 'sending') return reasons['order-sending'];
  if (delivery.isUnsettled) return reasons['order-unsettled'];
  if (!delivery.mayBeSent) return null;
  const withdrawal = withdrawalOf(delivery, withdrawn);
  // The person who requested this refund did not know that it may have arrived.
  if (withdrawal === 'uncertain' && withdrawn.get(delivery.id)?.state !== 'unknown')
    return reasons['order-restored-uncertain'];
  const isDecided = withdrawal === 'safe' || withdrawal === 'arrived' || withdrawal === 'uncertain';
  if (!isDecided || (delivery.state !== 'unknown' && withdrawal !== 'safe'))
    return reasons['order-record-away'];
  return null;
};

const countLines = async (trx: Trx, orderId: string, lineIds: readonly string[]): Promise<number> => {
  const rows = await trx
    .selectFrom('order_lines')
    .select('id')
    .where('order_id', '=', orderId)
    .where('id', 'in', lineIds)
    .execute();
  return rows.length;
};

/** Products whose pieces went into lines of bundles. */
const readStocks = async (trx: Trx, lineIds: readonly string[]): Promise<readonly string[]> => {
  const rows = await trx
    .selectFrom('order_line_stocks')
    .select('product_id')
    .where('order_line_id', 'in', lineIds)
    .execute();
  return rows.map(({ product_id }) => product_id);
};
