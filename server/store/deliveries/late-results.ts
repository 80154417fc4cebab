import type { CommandResult } from '#contracts/servers/games.ts';
import type { StoreContext } from '../store-context.ts';
import type { Attempts } from './attempts.ts';
import { endAttempt, evidenceOf, logEvidence, readAttempt, readCommandId } from './delivery-rows.ts';
import { readDelivery } from './render-delivery.ts';

const noEnd = { outcome: null, reply: null, verdict: null, detail: null } as const;

/**
 * Takes a Game Agent's result that no caller waits for any more. It settles what no one has decided and moves no points: if
 * it contradicts a decision, the delivery goes to the desk.
 * @returns whether the command belongs to a delivery
 */
export const takeLateResult = async (
  { db, attempts }: Pick<StoreContext, 'db'> & { readonly attempts: Attempts },
  serverId: string,
  commandId: string,
  result: CommandResult,
): Promise<boolean> => {
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
  if (result.outcome !== 'answered') {
    const evidence = logEvidence(delivery.game, attempt.command, result);
    // It settles nothing, but helps the person who decides.
    if (evidence.logLines && attempt.ended_at === null)
      await endAttempt(db, attempt, { ...noEnd, evidence, isSettled: false }).execute();
    return true;
  }
  const read = readDelivery(delivery, evidenceOf(attempt), result);
  if (!read || attempt.verdict === read.verdict) return true;
  await attempts.conclude(delivery, attempt, result, { patienceMs: 0 });
  return true;
};
