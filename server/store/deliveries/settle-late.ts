import { type Kysely, sql } from 'kysely';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type DeliveryDecision, decideLate, type LateFacts } from './decide-delivery.ts';
import { type AttemptRow, endAttempt, isOpenFor, lockDelivery } from './delivery-rows.ts';
import { type Settled, type Settlement, toDesk } from './settle-delivery.ts';

/** What a verdict on an attempt proves to a delivery that others have decided meanwhile. */
const provenBy = (decision: DeliveryDecision): LateFacts['verdict'] => {
  if (decision.state === 'delivered') return decision.certainty === 'unconfirmed' ? 'unproven' : 'done';
  if (decision.state === 'failed') return 'failed';
  return decision.state === 'waiting' ? 'later' : 'unproven';
};

/**
 * Stores the verdict on an attempt whose delivery has left it. It moves no points: if it contradicts what was decided, the
 * delivery goes to the desk.
 * @returns `elsewhere`: the delivery waits for this attempt again
 */
export const settleLate = (
  db: Kysely<Tables>,
  attempt: AttemptRow,
  { decision, end }: Settled,
): Promise<Settlement> =>
  retryDeadlocks(db, async (trx) => {
    const now = await lockDelivery(trx, attempt.delivery_id);
    if (!now) return 'same';
    if (isOpenFor(now, attempt)) return 'elsewhere';
    const late = decideLate({
      verdict: provenBy(decision),
      isRefunded: now.refunded_at !== null,
      isSentAgain: now.attempts !== attempt.number || now.state === 'pending',
      state: now.state,
      isDecided: now.certainty === 'decided',
    });
    await endAttempt(trx, attempt, {
      ...end,
      evidence: { ...end.evidence, isLate: true },
      isSettled: true,
    }).execute();
    const { detail } = end;
    const change = {
      keep: null,
      prove: { certainty: 'proven' as const, detail },
      doubled: { doubled_at: sql<Date>`now()` },
      arrived: {
        state: 'delivered' as const,
        certainty: 'proven' as const,
        waits_for: null,
        detail,
        ended_at: sql<Date>`now()`,
        desk_reason: null,
        desk_at: null,
      },
      desk: { desk_reason: 'late-result' as const, desk_at: sql<Date>`now()`, detail },
    }[late];
    if (!change) return 'same';
    await trx.updateTable('deliveries').set(change).where('id', '=', now.id).execute();
    if (late === 'desk' && now.desk_reason !== 'late-result')
      await toDesk(trx, now, 'late-result', attempt.server_id);
    return 'changed';
  });
