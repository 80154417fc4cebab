import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { endAndMask, unknownResult } from './command-rows.ts';

const keptDays = 7;
/** Rows a statement: a few milliseconds of work. */
const batchRows = 1000;
const shortestPauseMs = 10;

/**
 * Deletes commands whose result is older than a week, in batches. One that was sent and got none for as long after its
 * expiry is given up as `unknown` first: its agent does not come back.
 * @param signal ends the work after the batch in hand
 * @returns how many were deleted
 */
export const deleteOldAgentCommands = async (db: Kysely<Tables>, signal: AbortSignal): Promise<number> => {
  const before = sql<Date>`now() - make_interval(days => ${keptDays})`;
  await endAndMask(db, (trx) =>
    trx
      .updateTable('agent_commands')
      .set({ done_at: sql<Date>`now()`, result: JSON.stringify(unknownResult) })
      .where('done_at', 'is', null)
      .where('expires_at', '<', before)
      .returning(['id', 'command', 'result'])
      .execute(),
  );
  let total = 0;
  while (!signal.aborted) {
    const beganMs = performance.now();
    const { numDeletedRows } = await db
      .deleteFrom('agent_commands')
      .where('id', 'in', (query) =>
        query.selectFrom('agent_commands').select('id').where('done_at', '<', before).limit(batchRows),
      )
      .executeTakeFirstOrThrow();
    total += Number(numDeletedRows);
    if (numDeletedRows < batchRows) return total;
    const pauseMs = Math.max(shortestPauseMs, performance.now() - beganMs);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return total;
};
