import { sql } from 'kysely';
import { gameOf } from '#games/games.ts';
import { sleep } from '#runtime/sleep.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { StoreContext } from '../store-context.ts';
import type { Attempts } from './attempts.ts';
import { type AttemptRow, evidenceOf, lockDelivery, withNewestAttempt } from './delivery-rows.ts';
import type { GiftGuards } from './gift-guards.ts';
import { toDesk } from './settle-delivery.ts';

/** A daily task. @see the tasks of `maintenance` */
export interface DeliveryUpkeep {
  readonly name: string;
  /** @returns how many rows were cleaned up */
  run(signal: AbortSignal): Promise<number>;
}

/** Per server. */
const mostAtOnce = 200;
/** Recent deliveries that a crash may have undone: worlds are saved every few minutes. */
const mostChecked = 100;
const checkedHours = 24;
const keptDays = 90;
/** Marks per server and run, one command each. */
const mostForgotten = 10_000;
/** Removals stored together; a run that breaks off repeats at most these. */
const forgottenAtOnce = 200;

/** Reads the games' records after a lost reply and after a crash, and removes marks that are no longer needed. */
export const createSettleMarks = ({
  db,
  ways,
  log,
  guards,
  attempts,
  markPauseMs,
}: Pick<StoreContext, 'db' | 'ways' | 'log'> & {
  readonly guards: GiftGuards;
  readonly attempts: Attempts;
  readonly markPauseMs: number;
}) => {
  /** Deliveries whose end is unknown, with the attempt that may have left a mark. */
  const unsettled = () =>
    withNewestAttempt(db)
      .where('deliveries.state', '=', 'unknown')
      .where('deliveries.desk_reason', '=', 'unknown')
      // A mark that was read and proved nothing will not prove anything later.
      .where(sql<boolean>`attempt.evidence ? 'guard' and not attempt.evidence ? 'mark'`);

  const settleOn = async (serverId: string): Promise<void> => {
    const found = await unsettled()
      .selectAll('attempt')
      .select('deliveries.game')
      .where('attempt.server_id', '=', serverId)
      .orderBy('deliveries.desk_at')
      .limit(mostAtOnce)
      .execute();
    for (const { game, ...attempt } of found) {
      const { guard } = gameOf(game).store;
      const used = evidenceOf(attempt).guard;
      if (!guard || !used) continue;
      // A server that does not answer is not asked again in this round.
      if ((await guards.markOf(serverId, guard, used.form, used.id)) === null) return;
      const delivery = await db
        .selectFrom('deliveries')
        .selectAll()
        .where('id', '=', attempt.delivery_id)
        .executeTakeFirst();
      if (delivery?.state === 'unknown' && delivery.attempts === attempt.number)
        await attempts.conclude(delivery, attempt, null, { patienceMs: 0 });
    }
  };

  /** Settles unknown deliveries whose game can be asked now; a slow game delays no other. */
  const settleUnknown = async (): Promise<void> => {
    const servers = await unsettled().select('attempt.server_id').distinct().execute();
    const there = servers.filter(({ server_id }) => ways.open(server_id) !== null);
    await Promise.all(there.map(({ server_id }) => settleOn(server_id)));
  };

  const markRolledBack = (attempt: AttemptRow): Promise<void> =>
    retryDeadlocks(db, async (trx) => {
      const now = await lockDelivery(trx, attempt.delivery_id);
      if (now?.state !== 'delivered' || now.rolled_back_at !== null || now.attempts !== attempt.number)
        return;
      await trx
        .updateTable('deliveries')
        .set({ rolled_back_at: sql<Date>`now()`, desk_reason: 'rolled-back', desk_at: sql<Date>`now()` })
        .where('id', '=', now.id)
        .execute();
      await toDesk(trx, now, 'rolled-back', attempt.server_id);
    });

  /**
   * Finds recent gifts that the game has forgotten after a crash: they were lost with a part of its world.
   * @returns whether the game answered; if not, ask it again later
   */
  const findRolledBack = async (serverId: string): Promise<boolean> => {
    const lately = await withNewestAttempt(db)
      .selectAll('attempt')
      .select('deliveries.game')
      .where('deliveries.server_id', '=', serverId)
      .where('deliveries.state', '=', 'delivered')
      .where('deliveries.certainty', 'in', ['proven', 'settled'])
      .where('deliveries.rolled_back_at', 'is', null)
      .where(sql<boolean>`attempt.evidence ? 'guard'`)
      .where('deliveries.ended_at', '>', sql<Date>`now() - make_interval(hours => ${checkedHours})`)
      .orderBy('deliveries.ended_at', 'desc')
      .limit(mostChecked)
      .execute();
    for (const { game, ...attempt } of lately) {
      const { guard } = gameOf(game).store;
      const used = evidenceOf(attempt).guard;
      if (!guard || !used) continue;
      const answer = await guards.markOf(serverId, guard, used.form, used.id);
      if (answer === null) return false;
      if (answer.mark === 'absent') await markRolledBack(attempt);
    }
    return true;
  };

  /** Marks that nothing will ask for any more. */
  const oldMarks = () =>
    db
      .selectFrom('delivery_attempts as attempt')
      .innerJoin('deliveries', 'deliveries.id', 'attempt.delivery_id')
      .where(sql<boolean>`attempt.evidence ? 'guard' and not attempt.evidence ? 'forgottenAt'`)
      .where('attempt.ended_at', '<', sql<Date>`castellan_proven_now() - make_interval(days => ${keptDays})`)
      .where('deliveries.state', 'in', ['delivered', 'cancelled', 'failed'])
      .where('deliveries.desk_reason', 'is', null);

  const forgetOn = async (serverId: string, signal: AbortSignal): Promise<number> => {
    const old = await oldMarks()
      .select(['attempt.command_id', 'attempt.evidence', 'deliveries.game'])
      .where('attempt.server_id', '=', serverId)
      .orderBy('attempt.ended_at')
      .limit(mostForgotten)
      .execute();
    let forgotten = 0;
    for (let start = 0; start < old.length; start += forgottenAtOnce) {
      const batch = old.slice(start, start + forgottenAtOnce);
      const gone: string[] = [];
      for (const { command_id, game, ...attempt } of batch) {
        const { guard } = gameOf(game).store;
        const used = evidenceOf(attempt).guard;
        if (signal.aborted) break;
        if (guard && used) {
          const result = await ways.ask(serverId, guard.forget(used.id, used.form));
          if (result?.outcome !== 'answered') break;
        }
        gone.push(command_id);
        await sleep(markPauseMs, signal);
      }
      await db
        .updateTable('delivery_attempts')
        .set({ evidence: sql<string>`evidence || jsonb_build_object('forgottenAt', now())` })
        .where('command_id', '=', sql<string>`any (${gone}::text[])`)
        .execute();
      forgotten += gone.length;
      if (gone.length < batch.length) break;
    }
    return forgotten;
  };

  const forgetMarks: DeliveryUpkeep = {
    name: 'marks of settled deliveries',
    async run(signal) {
      const servers = await oldMarks().select('attempt.server_id').distinct().execute();
      const there = servers.filter(({ server_id }) => ways.open(server_id) !== null);
      const counts = await Promise.all(there.map(({ server_id }) => forgetOn(server_id, signal)));
      const forgotten = counts.reduce((sum, count) => sum + count, 0);
      if (forgotten > 0) log.debug({ forgotten }, 'removed the marks of settled deliveries from games');
      return forgotten;
    },
  };

  return { settleUnknown, findRolledBack, forgetMarks };
};
