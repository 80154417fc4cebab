import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { batchRows, deleteInBatches } from '../logs/delete-in-batches.ts';
import { endAndMask, unknownResult } from './command-rows.ts';

const keptDays = 7;

/**
 * Deletes commands whose result is older than a week, in batches. A command that was sent and got none for as long
 * after its expiry is given up as `unknown` first: its agent does not come back.
 * @param signal ends the work after the current batch
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
  return deleteInBatches(signal, async () => {
    const { numDeletedRows } = await db
      .deleteFrom('agent_commands')
      .where('id', 'in', (query) =>
        query.selectFrom('agent_commands').select('id').where('done_at', '<', before).limit(batchRows),
      )
      .executeTakeFirstOrThrow();
    return { deleted: Number(numDeletedRows), isLast: numDeletedRows < batchRows };
  });
};
