import { type Kysely, sql, type Transaction } from 'kysely';
import type { WebhookAnswer, WebhookOutcome } from '#contracts/portal/purchases.ts';
import type { Clock } from '#runtime/clock.ts';
import { limitConcurrency } from '#runtime/limit-concurrency.ts';
import type { Log } from '#runtime/log.ts';
import { databaseTasks } from '../database/database-fault.ts';
import { newId } from '../database/new-id.ts';
import type { WebhookEventRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { foldOrder } from './order-state.ts';
import type { PurchaseEvent } from './purchase-event.ts';
import { type Settled, type SettlingOptions, settleOrder, type Trx } from './settle-order.ts';
import { viewWebhookEvent, type WebhookEventView } from './webhook-event-view.ts';

/**
 * Stores the money that an event reports, in the transaction of the event. Other events about the same payment, earlier
 * or later, add nothing: a payment counts once, at the time of the event that arrived first.
 */
const keepPayment = async (
  trx: Transaction<PortalTables>,
  { gateway, payment, occurredAt }: PurchaseEvent,
  eventId: string,
): Promise<void> => {
  if (!payment) return;
  const { direction, reference, source, money, isTotal = false } = payment;
  await trx
    .insertInto('payments')
    .values({
      gateway,
      direction,
      reference,
      source,
      event_id: eventId,
      minor: money ? String(money.minor) : null,
      currency: money?.currency ?? null,
      is_total: isTotal,
      at: occurredAt,
    })
    .onConflict((conflict) => conflict.columns(['gateway', 'direction', 'reference']).doNothing())
    .execute();
};

export interface Purchases {
  /** Accepts an event whose signature was checked. The same one again is `duplicate`, and does nothing. */
  take(event: PurchaseEvent, payloadSha256: Buffer): Promise<WebhookAnswer['status']>;
  /** Newest first; `before` is the id of the last one on the previous page. */
  list(wanted: {
    outcome?: WebhookOutcome;
    before?: string;
    limit: number;
  }): Promise<readonly WebhookEventView[]>;
  find(id: string): Promise<WebhookEventView | null>;
  /** Events that need a decision of the vendor, and when the oldest of them arrived; null: there are none. */
  undecided(): Promise<{ readonly count: number; readonly since: Date } | null>;
  /** Processes the event's order again, for example after the vendor added the plan that it names. */
  retry(id: string): Promise<WebhookOutcome | 'not-found'>;
  /** The same for every order that waits for the vendor; returns how many events are processed now. */
  retryUnprocessed(): Promise<number>;
  /**
   * Removes an event from those that wait for the vendor; its purchase then never gets a license, whatever arrives for
   * its order later. False: it is not among them.
   */
  dismiss(id: string): Promise<boolean>;
}

/**
 * A random number; held while an order is settled. One lock for all orders, since an event may show that what looked
 * like two is one; a shop sells far less often than every few milliseconds, which is how long this takes.
 */
const settlingLock = 1_606_233_187;

export const createPurchases = ({
  db,
  clock,
  log,
  ...settling
}: SettlingOptions & {
  readonly db: Kysely<PortalTables>;
  readonly clock: Clock;
  readonly log: Log;
}): Purchases => {
  // Requests that wait for the lock must not use up the connections that licenses are checked with.
  const inTurn = limitConcurrency({ maxRunning: 1, maxWaiting: 1024, ...databaseTasks });
  const locked = <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
    inTurn(() =>
      db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(${settlingLock})`.execute(trx);
        return work(trx);
      }),
    );

  /** Settles the order that these refs belong to, and records the result on each of its open events. */
  const settle = async (trx: Trx, refs: readonly string[]): Promise<Settled> => {
    const events = await gatherEvents(trx, refs);
    const settled = await settleOrder(trx, settling, foldOrder(events), clock.now());
    const { outcome, reason, purchaseId } = settled;
    await trx
      .updateTable('webhook_events')
      .set({ outcome, reason, purchase_id: purchaseId })
      .where(
        'id',
        'in',
        events.map(({ id }) => id),
      )
      .where('outcome', 'in', ['waiting', 'unprocessed'])
      .execute();
    return settled;
  };

  const retry = (id: string) =>
    locked(async (trx): Promise<WebhookOutcome | 'not-found'> => {
      const event = await readEvent(trx, id);
      if (!event) return 'not-found';
      if (event.outcome !== 'waiting' && event.outcome !== 'unprocessed') return event.outcome;
      return (await settle(trx, event.refs)).outcome;
    });

  return {
    retry,

    async take(event, payloadSha256) {
      const outcome = await locked(async (trx): Promise<WebhookAnswer['status']> => {
        const { gateway, kind, reason } = event;
        const refs = [...new Set(event.references)].map((reference) => `${gateway}:${reference}`);
        const isIdle = kind === 'nothing' || refs.length === 0;
        const inserted = await trx
          .insertInto('webhook_events')
          .values({
            id: newId(),
            gateway,
            event_id: event.eventId,
            type: event.type,
            kind,
            refs,
            facts: JSON.stringify(event.payment ? { ...event.facts, priced: true } : event.facts),
            payload_sha256: payloadSha256,
            occurred_at: event.occurredAt,
            received_at: clock.now(),
            outcome: isIdle ? 'ignored' : 'waiting',
            reason: reason ?? null,
          })
          .onConflict((conflict) => conflict.columns(['gateway', 'event_id']).doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!inserted) return 'duplicate';
        await keepPayment(trx, event, inserted.id);
        return isIdle ? 'ignored' : (await settle(trx, refs)).outcome;
      });
      const { gateway, eventId, type } = event;
      log[outcome === 'unprocessed' ? 'warn' : 'info'](
        { gateway, event: eventId, type, outcome },
        'purchase event taken',
      );
      return outcome;
    },

    async dismiss(id) {
      const { numUpdatedRows } = await db
        .updateTable('webhook_events')
        .set({ outcome: 'ignored', reason: 'The vendor has set it aside.' })
        .where('id', '=', id)
        .where('outcome', 'in', ['waiting', 'unprocessed'])
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async list({ outcome, before, limit }) {
      let query = db.selectFrom('webhook_events').selectAll();
      if (outcome) query = query.where('outcome', '=', outcome);
      if (before)
        query = query.where(
          sql<boolean>`(received_at, id) < (select received_at, id from webhook_events where id = ${before})`,
        );
      const rows = await query.orderBy('received_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map(viewWebhookEvent);
    },

    async find(id) {
      const event = await readEvent(db, id);
      return event ? viewWebhookEvent(event) : null;
    },

    async undecided() {
      const { count, since } = await db
        .selectFrom('webhook_events')
        .select(sql<number>`count(*)::int`.as('count'))
        .select(({ fn }) => fn.min('received_at').as('since'))
        .where('outcome', '=', 'unprocessed')
        .executeTakeFirstOrThrow();
      return count === 0 ? null : { count, since };
    },

    async retryUnprocessed() {
      const unprocessed = await db
        .selectFrom('webhook_events')
        .select('id')
        .where('outcome', '=', 'unprocessed')
        .orderBy('received_at')
        .execute();
      let processed = 0;
      for (const { id } of unprocessed) if ((await retry(id)) === 'processed') processed += 1;
      return processed;
    },
  };
};

const readEvent = (from: Kysely<PortalTables>, id: string): Promise<WebhookEventRow | undefined> =>
  from.selectFrom('webhook_events').selectAll().where('id', '=', id).executeTakeFirst();

/** All events of one order: those that share a ref with it, those that share a ref with them, and so on. */
const gatherEvents = async (trx: Trx, refs: readonly string[]): Promise<readonly WebhookEventRow[]> => {
  let known = new Set(refs);
  for (;;) {
    const events = await trx
      .selectFrom('webhook_events')
      .selectAll()
      .where(sql<boolean>`refs && ${[...known]}::text[]`)
      .execute();
    const found = new Set([...known, ...events.flatMap((event) => event.refs)]);
    if (found.size === known.size) return events;
    known = found;
  }
};
