import { type Kysely, sql, type Transaction, type UpdateObject } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { DeskDecisionName } from '#contracts/store/deliveries.ts';
import { actorReference } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { isOverdrawn } from '../points/check-violation.ts';
import type { StoreContext } from '../store-context.ts';
import type { Attempts } from './attempts.ts';
import { type DeliveryRow, lockDelivery } from './delivery-rows.ts';
import type { GiftGuards } from './gift-guards.ts';
import type { DeliveryJob } from './new-deliveries.ts';
import { storeActor } from './settle-delivery.ts';
import { createWithdrawGift, type Withdrawal } from './withdraw-gift.ts';

/** A person, or a rule that a person has set. */
type DecidedBy = AuditContext | { readonly rule: string };

export interface Decided {
  readonly id: string;
  readonly isDone: boolean;
  /** Why it was not done; null if it was. */
  readonly detail: string | null;
}

/** Where people decide deliveries whose end is unknown or contested. */
export type Desk = ReturnType<typeof createDesk>;

export const createDesk = (
  context: Pick<StoreContext, 'db' | 'ways' | 'servers' | 'jobs'>,
  {
    guards,
    attempts,
    wake,
    onChange,
  }: {
    readonly guards: GiftGuards;
    readonly attempts: Attempts;
    readonly wake: (memberIds: readonly string[]) => void;
    /** Also after a failure: part of it may be committed. */
    readonly onChange: () => void;
  },
) => {
  const { db, jobs } = context;
  const withdrawOne = createWithdrawGift({ ...context, guards, attempts });

  const readMany = (ids: readonly string[]): Promise<DeliveryRow[]> =>
    db.selectFrom('deliveries').selectAll().where('id', '=', sql<string>`any (${ids}::uuid[])`).execute();

  const audit = async (
    trx: Transaction<Tables>,
    by: DecidedBy,
    action: 'cancel' | 'decide' | 'retry',
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
    if (!found) return no(reasons['no-such-delivery']);
    if (found.desk_reason === null) return no(notThere);
    const isTakenBack = decision === 'refund' || decision === 'send-again';
    const withdrawal = isTakenBack ? await withdrawOne(found) : null;
    if (withdrawal !== null) {
      if (withdrawal === 'away') return no(reasons['record-away']);
      if (withdrawal === 'under-way') return no(notThere);
      if (withdrawal === 'arrived' && found.state === 'unknown') return no(reasons['has-arrived']);
    }
    const work = async (trx: Transaction<Tables>): Promise<Decided> => {
      const now = await lockDelivery(trx, id);
      if (!now || now.desk_reason === null || now.generation !== found.generation) return no(notThere);
      const refusal = await carryOut(trx, now, decision, by, withdrawal === 'safe');
      if (refusal !== null) return no(refusal);
      await trx
        .updateTable('delivery_attempts')
        .set({ ended_at: sql<Date>`now()` })
        .where('delivery_id', '=', id)
        .where('ended_at', 'is', null)
        .execute();
      await audit(trx, by, 'decide', now, { decision });
      return { id, isDone: true, detail: null };
    };
    try {
      return await retryDeadlocks(db, work);
    } catch (error) {
      if (isOverdrawn(error)) return no(reasons['too-few-points']);
      throw error;
    }
  };

  /** Null, or why it is refused. */
  const carryOut = async (
    trx: Transaction<Tables>,
    now: DeliveryRow,
    decision: DeskDecisionName,
    by: DecidedBy,
    isWithdrawn: boolean,
  ): Promise<string | null> => {
    const change = (set: DeliveryChange) =>
      update(trx, now.id)
        .set({ desk_reason: null, desk_at: null, ...set })
        .execute();
    const isRefunded = now.refunded_at !== null;
    switch (decision) {
      case 'delivered':
        // A refund stays a refund even if it arrived; a delivery that arrived stays delivered.
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
        const isProvenUndone = now.desk_reason === 'late-result';
        if (now.state === 'delivered' && !isProvenUndone) {
          await change({});
          await sql`select castellan_refund_delivery(${now.id}, ${actorOf(by)}, ${nameOf(by)})`.execute(trx);
        } else
          await sql`select castellan_refund_undelivered(
            ${now.id}, ${isWithdrawn || isProvenUndone}, ${reasons['refunded-by-decision']}, ${actorOf(by)}, ${nameOf(by)})`.execute(
            trx,
          );
        return null;
      }
      case 'charge-again':
        if (!isRefunded || now.desk_reason !== 'late-result') return reasons['was-not-refunded'];
        await sql`select castellan_charge_again(${now.id}, ${actorOf(by)}, ${nameOf(by)})`.execute(trx);
        return null;
    }
  };

  const decide = async (
    ids: readonly string[],
    decision: DeskDecisionName,
    by: DecidedBy,
  ): Promise<Decided[]> => {
    const decided: Decided[] = [];
    for (const id of new Set(ids)) decided.push(await decideOne(id, decision, by));
    if (decision === 'send-again') {
      const done = decided.filter(({ isDone }) => isDone).map(({ id }) => id);
      wake((await readMany(done)).map(({ member_id }) => member_id));
    }
    return decided;
  };

  const cancel = async (id: string, by: AuditContext): Promise<Refusal | null> => {
    const [found] = await readMany([id]);
    if (!found) return refuse('NOT_FOUND');
    const withdrawal = await withdrawOne(found);
    if (isOpen(found) && withdrawal !== 'safe') return refuse('DELIVERY_STATE', notCancelled[withdrawal]);
    return retryDeadlocks(db, async (trx) => {
      const now = await lockDelivery(trx, id);
      const isAsAsked = now?.generation === found.generation && now.attempts === found.attempts;
      if (!now || !isAsAsked || (!isOpen(now) && now.state !== 'failed')) return refuse('DELIVERY_STATE');
      // After a restore, it was withdrawn just now.
      await update(trx, id).set({ epoch: sql<number>`(select epoch from store_state)` }).execute();
      await sql`select castellan_cancel_delivery(${id}, ${reasons['cancelled-by'](by.actor.name)}, ${actorOf(by)}, ${by.actor.name})`.execute(
        trx,
      );
      await audit(trx, by, 'cancel', now, { state: 'cancelled' });
      return null;
    });
  };

  const retry = async (id: string, by: AuditContext): Promise<Refusal | null> => {
    const refused = await retryDeadlocks(db, async (trx) => {
      const now = await lockDelivery(trx, id);
      if (!now) return refuse('NOT_FOUND');
      const mayBe = isOpen(now) || now.state === 'failed';
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
  };

  return {
    decide: (...what: Parameters<typeof decide>) => decide(...what).finally(onChange),
    /** Prevents what may have been sent from still arriving, if the game supports it. */
    async withdraw(ids: readonly string[]): Promise<ReadonlyMap<string, Withdrawal>> {
      const found = new Map<string, Withdrawal>();
      for (const delivery of await readMany(ids)) found.set(delivery.id, await withdrawOne(delivery));
      return found;
    },
    cancel: (...what: Parameters<typeof cancel>) => cancel(...what).finally(onChange),
    retry: (...what: Parameters<typeof retry>) => retry(...what).finally(onChange),
  };
};

type DeliveryChange = UpdateObject<Tables, 'deliveries'>;

const isOpen = ({ state }: Pick<DeliveryRow, 'state'>): boolean => state === 'pending' || state === 'waiting';

/** Why a delivery of a restored database is not cancelled. */
const notCancelled: Readonly<Record<Exclude<Withdrawal, 'safe'>, string>> = {
  arrived: reasons['has-arrived'],
  uncertain: reasons['restored-uncertain'],
  away: reasons['restored-away'],
  'under-way': reasons['under-way'],
};

const notThere = reasons['not-at-desk'];
const update = (trx: Kysely<Tables>, id: string) => trx.updateTable('deliveries').where('id', '=', id);
const actorOf = (by: DecidedBy): string => ('rule' in by ? storeActor : actorReference(by.actor));
const nameOf = (by: DecidedBy): string | null => ('rule' in by ? by.rule : by.actor.name);
