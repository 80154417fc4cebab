import { type Kysely, sql } from 'kysely';
import { type CommandResult, longestReply } from '#contracts/games.ts';
import { gameOf } from '#games/games.ts';
import { retryDeadlocks } from '../database/retry-deadlocks.ts';
import { storableText } from '../database/storable-text.ts';
import type { Tables } from '../database/tables.ts';
import type { Attempts } from './attempts.ts';
import { decideLate } from './decide-delivery.ts';
import {
  endAttempt,
  evidenceOf,
  lockDelivery,
  logEvidence,
  readAttempt,
  readCommandId,
} from './delivery-rows.ts';
import { readDelivery } from './render-delivery.ts';
import { toDesk } from './settle-delivery.ts';

const noEnd = { outcome: null, reply: null, verdict: null, detail: null } as const;

export interface LateResultsOptions {
  readonly db: Kysely<Tables>;
  readonly attempts: Pick<Attempts, 'conclude'>;
}

/** @returns whether the command belongs to a delivery */
export type TakeLate = (serverId: string, commandId: string, result: CommandResult) => Promise<boolean>;

/**
 * Takes a Game Agent's result that no caller waits for any more. It settles what no one has decided and moves no points: if
 * it contradicts a decision, the delivery goes to the desk.
 */
export const createTakeLate =
  ({ db, attempts }: LateResultsOptions): TakeLate =>
  async (serverId, commandId, result) => {
    const named = readCommandId(commandId);
    if (!named) return false;
    const attempt = await readAttempt(db, named.deliveryId, named.number);
    if (!attempt) return false;
    if (attempt.server_id !== serverId) return true;
    // The receiver was erased, so a reply that may name them is not stored.
    if (attempt.command === '') return true;
    const delivery = await db
      .selectFrom('deliveries')
      .selectAll()
      .where('id', '=', named.deliveryId)
      .executeTakeFirstOrThrow();
    // The runner takes this result itself.
    if (delivery.state === 'sending' && delivery.attempts === attempt.number) return true;
    if (result.outcome !== 'answered') {
      const evidence = logEvidence(delivery.game, attempt.command, result);
      // It settles nothing, but helps the person who decides.
      if (evidence.logLines && attempt.ended_at === null)
        await endAttempt(db, attempt, { ...noEnd, evidence, isSettled: false }).execute();
      return true;
    }
    const found = readDelivery(delivery, evidenceOf(attempt), result);
    const read = found && { ...found, reason: storableText(found.reason, longestReply) };
    if (!read || attempt.verdict === read.verdict) return true;
    const isUndecided = delivery.state === 'unknown' && delivery.refunded_at === null;
    if (isUndecided && delivery.attempts === attempt.number) {
      await attempts.conclude(delivery, attempt, result, { patienceMs: 0 });
      return true;
    }
    await retryDeadlocks(db, async (trx) => {
      const now = await lockDelivery(trx, delivery.id);
      if (!now) return;
      const decision = decideLate({
        verdict: read.verdict,
        isRefunded: now.refunded_at !== null,
        isSentAgain: now.attempts > attempt.number || now.state === 'pending',
        state: now.state,
        isDecided: now.certainty === 'decided',
      });
      await endAttempt(trx, attempt, {
        outcome: result.outcome,
        reply:
          result.reply === null
            ? null
            : storableText(gameOf(now.game).maskReply(attempt.command, result.reply), longestReply),
        verdict: read.verdict,
        detail: read.reason,
        evidence: { isLate: true },
        isSettled: true,
      }).execute();
      const change = {
        settle: null,
        keep: null,
        prove: { certainty: 'proven' as const, detail: read.reason },
        doubled: { doubled_at: sql<Date>`now()` },
        arrived: {
          state: 'delivered' as const,
          certainty: 'proven' as const,
          waits_for: null,
          detail: read.reason,
          ended_at: sql<Date>`now()`,
          desk_reason: null,
          desk_at: null,
        },
        desk: { desk_reason: 'late-result' as const, desk_at: sql<Date>`now()`, detail: read.reason },
      }[decision];
      if (!change) return;
      await trx.updateTable('deliveries').set(change).where('id', '=', now.id).execute();
      if (decision === 'desk' && now.desk_reason !== 'late-result')
        await toDesk(trx, now, 'late-result', serverId);
    });
    return true;
  };
