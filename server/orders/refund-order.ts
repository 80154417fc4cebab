import { type Kysely, sql } from 'kysely';
import type { DeliveryState } from '#contracts/deliveries.ts';
import { reasons } from '#contracts/reasons.ts';
import type { Log } from '#runtime/log.ts';
import { actorReference } from '../access/actor.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import type { Withdrawal } from '../store-terms/withdrawal.ts';
import { lockProducts, transact } from './transact.ts';

export interface RefundOrderOptions {
  readonly db: Kysely<Tables>;
  /** Keeps what may have been sent from still arriving, where the game supports it. */
  readonly withdraw: (deliveryIds: readonly string[]) => Promise<ReadonlyMap<string, Withdrawal>>;
  /** Runs the counter-commands of what was given. */
  readonly sendCounterCommands: (deliveryIds: readonly string[]) => Promise<unknown>;
  readonly log: Log;
}

export type RefundOrder = (
  orderId: string,
  /** Null: all lines. */
  lineIds: readonly string[] | null,
  by: AuditContext,
) => Promise<{ readonly points: number } | Refusal>;

type Trx = Kysely<Tables>;

export const createRefundOrder = ({
  db,
  withdraw,
  sendCounterCommands,
  log,
}: RefundOrderOptions): RefundOrder => {
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
      ])
      .where('deliveries.order_id', '=', orderId)
      .where('deliveries.refunded_at', 'is', null)
      .$if(lineIds !== null, (query) => query.where('deliveries.order_line_id', 'in', lineIds ?? []))
      .orderBy('deliveries.id');

  /** Outside the transaction: asking the game is slow. */
  const withdrawSent = async (orderId: string, lineIds: readonly string[] | null): Promise<Withdrawn> => {
    const sent = await openDeliveries(db, orderId, lineIds).where(mayBeSent).execute();
    const withdrawn =
      sent.length > 0 ? await withdraw(sent.map(({ id }) => id)) : new Map<string, Withdrawal>();
    return new Map(
      sent.map((delivery) => [
        delivery.id,
        { ...delivery, withdrawal: withdrawn.get(delivery.id) ?? ('away' as const) },
      ]),
    );
  };

  return async (orderId, lineIds, by) => {
    const withdrawn = await withdrawSent(orderId, lineIds);
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
      const open = await openDeliveries(trx, orderId, lineIds).forUpdate('deliveries').execute();
      const hindrance = findHindrance(open, withdrawn);
      if (hindrance !== null) return refuse('DELIVERY_STATE', hindrance);
      if (open.length === 0) return { points: 0, taken: [] };
      const stocks = await readStocks(
        trx,
        open.map(({ order_line_id }) => order_line_id),
      );
      await lockProducts(trx, [...new Set([...open.map(({ product_id }) => product_id), ...stocks])]);
      const idsIn = (...states: readonly DeliveryState[]) =>
        open.filter(({ state }) => states.includes(state)).map(({ id }) => id);
      const taken = idsIn('delivered', 'unknown');
      for (const delivery of open.filter(({ state }) => state === 'unknown'))
        await sql`select castellan_refund_undelivered(
          ${delivery.id}, ${withdrawalOf(delivery, withdrawn) === 'safe'}, ${refundedWithOrder}, ${who.actor}, ${who.name})`.execute(
          trx,
        );
      const waiting = idsIn('pending', 'waiting', 'failed');
      // After a restore, they were withdrawn just now.
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
      for (const id of idsIn('delivered'))
        await sql`select castellan_refund_delivery(${id}, ${who.actor}, ${who.name})`.execute(trx);
      const ids = open.map(({ id }) => id);
      // The refund is the decision that the desk waited for.
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
      return { points, taken };
    });
    if ('refused' in refunded) return refunded;
    const { points, taken } = refunded;
    // The refund has committed; a failure here must not hide that.
    if (taken.length > 0)
      await sendCounterCommands(taken).catch((error: unknown) =>
        log.error({ err: error, orderId }, 'what a refunded order gave could not be taken back'),
      );
    return { points };
  };
};

const refundedWithOrder = reasons['refunded-with-order'];

/** Its end is unknown, or the database was restored and does not know what was sent since its backup. */
const mayBeSent = sql<boolean>`(deliveries.state = 'unknown'
  or deliveries.state in ('pending', 'waiting') and deliveries.epoch < (select epoch from store_state))`;

interface OpenDelivery {
  readonly id: string;
  readonly state: DeliveryState;
  readonly generation: number;
  readonly attempts: number;
  readonly mayBeSent: boolean;
}
/** Deliveries as they were when their games were asked. */
type Withdrawn = ReadonlyMap<string, OpenDelivery & { readonly withdrawal: Withdrawal }>;

/** What the game said; null if the delivery has changed since. */
const withdrawalOf = (
  { id, generation, attempts }: OpenDelivery,
  withdrawn: Withdrawn,
): Withdrawal | null => {
  const asked = withdrawn.get(id);
  return asked?.generation === generation && asked.attempts === attempts ? asked.withdrawal : null;
};

/** Why the refund is refused now; null if it is not. */
const findHindrance = (open: readonly OpenDelivery[], withdrawn: Withdrawn): string | null => {
  if (open.some(({ state }) => state === 'sending')) return reasons['order-sending'];
  for (const delivery of open.filter((one) => one.mayBeSent)) {
    const withdrawal = withdrawalOf(delivery, withdrawn);
    // The person who asked for this refund did not know that it may have arrived.
    if (withdrawal === 'uncertain' && withdrawn.get(delivery.id)?.state !== 'unknown')
      return reasons['order-restored-uncertain'];
    const isDecided = withdrawal === 'safe' || withdrawal === 'arrived' || withdrawal === 'uncertain';
    if (!isDecided || (delivery.state !== 'unknown' && withdrawal !== 'safe'))
      return reasons['order-record-away'];
  }
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

/** Products that lines of bundles took pieces of. */
const readStocks = async (trx: Trx, lineIds: readonly string[]): Promise<readonly string[]> => {
  const rows = await trx
    .selectFrom('order_line_stocks')
    .select('product_id')
    .where('order_line_id', 'in', lineIds)
    .execute();
  return rows.map(({ product_id }) => product_id);
};
