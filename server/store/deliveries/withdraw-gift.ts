import { sql } from 'kysely';
import { gameOf } from '#games/games.ts';
import type { GuardMark } from '#games/store-forms.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { StoreContext } from '../store-context.ts';
import type { Attempts } from './attempts.ts';
import {
  type AttemptRow,
  type DeliveryRow,
  evidenceOf,
  lockDelivery,
  markIdOf,
  readAttempt,
} from './delivery-rows.ts';
import { fits } from './delivery-targets.ts';
import { currentEpoch, deskRestored } from './epochs.ts';
import type { GiftGuards } from './gift-guards.ts';

/**
 * The result of withdrawing a delivery.
 * - `safe`: it was never sent, or can no longer arrive
 * - `arrived`: the game says that it arrived
 * - `uncertain`: it may have arrived, and the game keeps no record of it, or its server is archived
 * - `away`: the game keeps a record and cannot be asked now
 * - `under-way`: it is being sent
 */
export type Withdrawal = 'safe' | 'arrived' | 'uncertain' | 'away' | 'under-way';

/** Generations that a restored database may have missed. */
const mostMissed = 8;

/** Prevents what may have been sent from still arriving, if the game supports it. */
export const createWithdrawGift = ({
  db,
  ways,
  servers,
  guards,
  attempts,
}: Pick<StoreContext, 'db' | 'ways' | 'servers'> & {
  readonly guards: GiftGuards;
  readonly attempts: Attempts;
}) => {
  const markOf = async (...which: Parameters<GiftGuards['markOf']>): Promise<GuardMark | null> =>
    (await guards.markOf(...which))?.mark ?? null;

  /** An archived server may never answer again, so a person must be able to decide without its record. */
  const isArchived = async (serverId: string): Promise<boolean> => {
    const server = await db
      .selectFrom('game_servers')
      .select('archived_at')
      .where('id', '=', serverId)
      .executeTakeFirstOrThrow();
    return server.archived_at !== null;
  };

  const withdrawSent = async (
    delivery: DeliveryRow,
    attempt: AttemptRow | undefined,
  ): Promise<Withdrawal> => {
    const used = attempt && evidenceOf(attempt).guard;
    const { guard } = gameOf(delivery.game).store;
    if (!attempt || !used || !guard) return 'uncertain';
    if (!ways.open(attempt.server_id)) return (await isArchived(attempt.server_id)) ? 'uncertain' : 'away';
    await ways.ask(attempt.server_id, guard.withdraw(used.id, used.form));
    const mark = await markOf(attempt.server_id, guard, used.form, used.id);
    if (mark === 'withdrawn') return 'safe';
    if (mark !== 'given') return 'away';
    await attempts.conclude(delivery, attempt, null, { patienceMs: 0 });
    return 'arrived';
  };

  /**
   * The database does not know whether, or how often, it was sent since the backup. Each time it was sent again by
   * decision or after a withdrawal has left a mark of a higher generation.
   */
  const withdrawRestored = async (
    delivery: DeliveryRow,
    attempt: AttemptRow | undefined,
  ): Promise<Withdrawal> => {
    const { guard } = gameOf(delivery.game).store;
    const fitting = servers.all().filter((server) => fits(delivery, server));
    const serverId = attempt?.server_id ?? (fitting.length === 1 ? fitting[0]?.id : undefined);
    if (!guard || delivery.line.kind !== 'item' || serverId === undefined) return 'uncertain';
    const form = await guards.formOn(serverId, guard);
    if (form === 'away') return (await isArchived(serverId)) ? 'uncertain' : 'away';
    if (form === 'unfit') return 'uncertain';
    for (let missed = 0; missed < mostMissed; missed += 1) {
      const id = markIdOf({ id: delivery.id, generation: delivery.generation + missed });
      let mark = await markOf(serverId, guard, form, id);
      if (mark === 'absent' && missed > 0) return 'safe';
      if (mark === 'absent' || mark === 'refused') {
        await ways.ask(serverId, guard.withdraw(id, form));
        mark = await markOf(serverId, guard, form, id);
      }
      if (mark === 'given') {
        await settleRestored(delivery, serverId);
        return 'arrived';
      }
      if (mark !== 'withdrawn') return 'away';
    }
    return 'uncertain';
  };

  const settleRestored = (delivery: DeliveryRow, serverId: string): Promise<void> =>
    retryDeadlocks(db, async (trx) => {
      const now = await lockDelivery(trx, delivery.id);
      const isOpen = now?.state === 'pending' || now?.state === 'waiting' || now?.state === 'unknown';
      if (!isOpen || now.generation !== delivery.generation || now.attempts !== delivery.attempts) return;
      await trx
        .updateTable('deliveries')
        .set({
          state: 'delivered',
          certainty: 'settled',
          waits_for: null,
          server_id: serverId,
          detail: null,
          ended_at: sql<Date>`now()`,
          desk_reason: null,
          desk_at: null,
        })
        .where('id', '=', now.id)
        .execute();
      await trx
        .updateTable('delivery_attempts')
        .set({ ended_at: sql<Date>`now()` })
        .where('delivery_id', '=', now.id)
        .where('ended_at', 'is', null)
        .execute();
    });

  return async (delivery: DeliveryRow): Promise<Withdrawal> => {
    const { state } = delivery;
    if (state === 'sending') return 'under-way';
    if (state === 'delivered') return 'arrived';
    const isOpen = state === 'pending' || state === 'waiting';
    if (!isOpen && state !== 'unknown') return 'safe';
    const isRestored = delivery.epoch < (await currentEpoch(db));
    if (isOpen && !isRestored) return 'safe';
    // What was given in Discord is taken back automatically once nothing pays for it any more.
    if (delivery.line.kind === 'role') return 'safe';
    const attempt = await readAttempt(db, delivery.id, delivery.attempts);
    if (!isRestored) return withdrawSent(delivery, attempt);
    const withdrawal = await withdrawRestored(delivery, attempt);
    if (isOpen && withdrawal === 'uncertain') await deskRestored(db, delivery.id);
    return withdrawal;
  };
};
