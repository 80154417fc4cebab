import { type Kysely, sql, type Transaction, type UpdateObject } from 'kysely';
import type { DeskDecisionName } from '#contracts/deliveries.ts';
import { reasons } from '#contracts/reasons.ts';
import { gameOf } from '#games/games.ts';
import { actorReference } from '../access/actor.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { DeliveryWays } from '../console-router/delivery-ways.ts';
import { retryDeadlocks } from '../database/retry-deadlocks.ts';
import type { Tables } from '../database/tables.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import type { JobSender } from '../queues/job-sender.ts';
import type { Attempts } from './attempts.ts';
import { type DeliveryRow, evidenceOf, lockDelivery, readAttempt } from './delivery-rows.ts';
import type { GiftGuards } from './gift-guards.ts';
import type { DeliveryJob } from './new-deliveries.ts';
import { storeActor } from './settle-delivery.ts';

export interface DeskOptions {
  readonly db: Kysely<Tables>;
  readonly ways: Pick<DeliveryWays, 'open' | 'ask'>;
  readonly guards: Pick<GiftGuards, 'markOf'>;
  readonly attempts: Pick<Attempts, 'conclude'>;
  readonly jobs: Pick<JobSender, 'send'>;
  readonly wake: (memberIds: readonly string[]) => void;
}

/**
 * What became of a delivery that is to be taken back.
 * - `safe`: it is not under way, or never will arrive
 * - `arrived`: the game says that it did
 * - `uncertain`: it may have arrived, and the game keeps no record of it
 * - `away`: the game keeps a record, and cannot be asked now
 * - `under-way`: it is being sent
 */
export type Withdrawal = 'safe' | 'arrived' | 'uncertain' | 'away' | 'under-way';

/** A person, or a rule that one has made. */
export type DecidedBy = AuditContext | { readonly rule: string };

export interface Decided {
  readonly id: string;
  readonly isDone: boolean;
  /** Why not, or what came of it. */
  readonly detail: string | null;
}

/** Where people decide what no one can tell. */
export interface Desk {
  decide(ids: readonly string[], decision: DeskDecisionName, by: DecidedBy): Promise<Decided[]>;
  /** Makes sure that what may have been sent does not arrive any more, where the game can do that. */
  withdraw(ids: readonly string[]): Promise<ReadonlyMap<string, Withdrawal>>;
  cancel(id: string, by: AuditContext): Promise<Refusal | null>;
  retry(id: string, by: AuditContext): Promise<Refusal | null>;
}

export const createDesk = (options: DeskOptions): Desk => {
  const { db, ways, guards, attempts, jobs, wake } = options;

  const withdrawOne = async (delivery: DeliveryRow): Promise<Withdrawal> => {
    if (delivery.state === 'sending') return 'under-way';
    if (delivery.state === 'delivered') return 'arrived';
    if (delivery.state !== 'unknown') return 'safe';
    const attempt = await readAttempt(db, delivery.id, delivery.attempts);
    const used = attempt && evidenceOf(attempt).guard;
    const { guard } = gameOf(delivery.game).store;
    if (!attempt || !used || !guard) return 'uncertain';
    if (!ways.open(attempt.server_id)) return 'away';
    await ways.ask(attempt.server_id, guard.withdraw(used.id, used.form));
    const mark = await guards.markOf(attempt.server_id, guard, used.form, used.id);
    if (mark === 'withdrawn') return 'safe';
    if (mark !== 'given') return 'away';
    await attempts.conclude(delivery, attempt, null, { patienceMs: 0 });
    return 'arrived';
  };

  const readMany = (ids: readonly string[]): Promise<DeliveryRow[]> =>
    db.selectFrom('deliveries').selectAll().where('id', '=', sql<string>`any (${ids}::uuid[])`).execute();

  const audit = async (
    trx: Transaction<Tables>,
    by: DecidedBy,
    action: string,
    before: DeliveryRow,
    after: Record<string, unknown>,
  ) => {
    if ('rule' in by) return;
    const { state, desk_reason } = before;
    await recordAudit(trx, {
      ...by,
      action: `deliveries.${action}`,
      target: `delivery:${before.id}`,
      before: { state, deskReason: desk_reason },
      after,
    });
  };

  const decideOne = async (id: string, decision: DeskDecisionName, by: DecidedBy): Promise<Decided> => {
    const no = (detail: string): Decided => ({ id, isDone: false, detail });
    const [found] = await readMany([id]);
    if (!found) return no('There is no such delivery.');
    if (found.desk_reason === null) return no(notThere);
    if (decision === 'refund' || decision === 'send-again') {
      const withdrawal = await withdrawOne(found);
      if (withdrawal === 'away') return no(reasons['record-away']);
      if (withdrawal === 'under-way') return no(notThere);
      if (withdrawal === 'arrived' && found.state === 'unknown') return no(reasons['has-arrived']);
    }
    return retryDeadlocks(db, async (trx) => {
      const now = await lockDelivery(trx, id);
      if (!now || now.desk_reason === null || now.generation !== found.generation) return no(notThere);
      const refusal = await carryOut(trx, now, decision, by);
      if (refusal !== null) return no(refusal);
      await trx
        .updateTable('delivery_attempts')
        .set({ ended_at: sql<Date>`now()` })
        .where('delivery_id', '=', id)
        .where('ended_at', 'is', null)
        .execute();
      await audit(trx, by, 'decide', now, { decision });
      return { id, isDone: true, detail: null };
    });
  };

  /** Null, or why it cannot be. */
  const carryOut = async (
    trx: Transaction<Tables>,
    now: DeliveryRow,
    decision: DeskDecisionName,
    by: DecidedBy,
  ): Promise<string | null> => {
    const change = (set: DeliveryChange) =>
      update(trx, now.id)
        .set({ desk_reason: null, desk_at: null, ...set })
        .execute();
    const isRefunded = now.refunded_at !== null;
    switch (decision) {
      case 'delivered':
        // What was refunded and has arrived stays refunded; what had arrived stays delivered.
        if (isRefunded || now.state === 'delivered') await change({});
        else
          await change({
            state: 'delivered',
            certainty: 'decided',
            detail: null,
            ended_at: sql<Date>`now()`,
          });
        return null;
      case 'send-again':
        if (isRefunded) return reasons['refunded-not-sent'];
        await change({
          state: 'pending',
          certainty: null,
          waits_for: null,
          detail: null,
          generation: now.generation + 1,
          epoch: sql<number>`(select epoch from store_state)`,
          next_try_at: sql<Date>`now()`,
          ended_at: null,
          rolled_back_at: null,
        });
        await jobs.send(trx, 'delivery-wakes', { memberId: now.member_id } satisfies DeliveryJob);
        return null;
      case 'refund': {
        if (isRefunded) return reasons['was-refunded'];
        const arrived = now.state === 'delivered' && now.desk_reason !== 'late-result';
        await change(
          arrived
            ? {}
            : {
                state: 'cancelled',
                certainty: null,
                waits_for: null,
                detail: reasons['refunded-by-decision'],
                ended_at: sql<Date>`now()`,
              },
        );
        await sql`select castellan_refund_delivery(${now.id}, ${actorOf(by)}, ${nameOf(by)})`.execute(trx);
        return null;
      }
      case 'charge-again':
        if (!isRefunded || now.desk_reason !== 'late-result') return reasons['was-not-refunded'];
        return chargeAgain(trx, now, by, change);
    }
  };

  const chargeAgain = async (
    trx: Transaction<Tables>,
    now: DeliveryRow,
    by: DecidedBy,
    change: (set: DeliveryChange) => Promise<unknown>,
  ): Promise<string | null> => {
    const payer = await trx
      .selectFrom('orders')
      .innerJoin('wallets', (join) =>
        join.on('wallets.member_id', '=', sql<string>`castellan_member_today(orders.member_id)`),
      )
      .select(['wallets.member_id', 'wallets.balance'])
      .where('orders.id', '=', now.order_id)
      .forUpdate('wallets')
      .executeTakeFirstOrThrow();
    if (BigInt(payer.balance) < BigInt(now.points)) return reasons['too-few-points'];
    await change({
      state: 'delivered',
      certainty: 'proven',
      waits_for: null,
      refunded_at: null,
      ended_at: sql<Date>`now()`,
    });
    if (now.points !== '0')
      await trx
        .insertInto('ledger')
        .values({
          kind: 'charge',
          from_account: 'wallet',
          from_member: payer.member_id,
          to_account: 'sales',
          to_member: null,
          amount: now.points,
          order_id: now.order_id,
          delivery_id: now.id,
          actor: actorOf(by),
          actor_name: nameOf(by),
        })
        .execute();
    return null;
  };

  return {
    async decide(ids, decision, by) {
      const decided: Decided[] = [];
      for (const id of new Set(ids)) decided.push(await decideOne(id, decision, by));
      if (decision === 'send-again') {
        const done = decided.filter(({ isDone }) => isDone).map(({ id }) => id);
        wake((await readMany(done)).map(({ member_id }) => member_id));
      }
      return decided;
    },
    async withdraw(ids) {
      const found = new Map<string, Withdrawal>();
      for (const delivery of await readMany(ids)) found.set(delivery.id, await withdrawOne(delivery));
      return found;
    },
    async cancel(id, by) {
      return retryDeadlocks(db, async (trx) => {
        const now = await lockDelivery(trx, id);
        if (!now) return refuse('NOT_FOUND');
        if (now.state !== 'pending' && now.state !== 'waiting' && now.state !== 'failed')
          return refuse('DELIVERY_STATE');
        await sql`select castellan_cancel_delivery(${id}, ${`Cancelled by ${by.actor.name}.`}, ${actorOf(by)}, ${by.actor.name})`.execute(
          trx,
        );
        await audit(trx, by, 'cancel', now, { state: 'cancelled' });
        return null;
      });
    },
    async retry(id, by) {
      const refused = await retryDeadlocks(db, async (trx) => {
        const now = await lockDelivery(trx, id);
        if (!now) return refuse('NOT_FOUND');
        const mayBe = now.state === 'waiting' || now.state === 'pending' || now.state === 'failed';
        if (!mayBe || now.refunded_at !== null) return refuse('DELIVERY_STATE');
        await update(trx, id)
          .set({
            state: 'pending',
            waits_for: null,
            detail: null,
            ended_at: null,
            next_try_at: sql<Date>`now()`,
          })
          .execute();
        await jobs.send(trx, 'delivery-wakes', { memberId: now.member_id } satisfies DeliveryJob);
        await audit(trx, by, 'retry', now, { state: 'pending' });
        return now.member_id;
      });
      if (typeof refused !== 'string') return refused;
      wake([refused]);
      return null;
    },
  };
};

type DeliveryChange = UpdateObject<Tables, 'deliveries'>;

const notThere = reasons['not-at-desk'];
const update = (trx: Kysely<Tables>, id: string) => trx.updateTable('deliveries').where('id', '=', id);
const actorOf = (by: DecidedBy): string => ('rule' in by ? storeActor : actorReference(by.actor));
const nameOf = (by: DecidedBy): string | null => ('rule' in by ? by.rule : by.actor.name);
