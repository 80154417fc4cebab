import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import { unknownTask } from './task-rows.ts';

const keptDays = 30;
/** Per server. */
const mostKept = 1000;
/** Rows per statement: a few milliseconds of work. */
const batchRows = 1000;

/**
 * Deletes tasks that ended more than 30 days ago, and of each server the oldest beyond its newest 1000. A task that was
 * sent and got no result for 30 days after its expiry is given up as `unknown` first: its agent does not come back.
 * @param signal ends the work after the current batch
 * @returns how many were deleted
 */
export const deleteOldAgentTasks = async (db: Kysely<Tables>, signal: AbortSignal): Promise<number> => {
  const before = sql<Date>`castellan_proven_now() - make_interval(days => ${keptDays})`;
  await db
    .updateTable('agent_tasks')
    .set({ state: 'done', done_at: sql<Date>`now()`, result: JSON.stringify(unknownTask) })
    .where('done_at', 'is', null)
    .where('expires_at', '<', before)
    .execute();
  let total = 0;
  while (!signal.aborted) {
    const { rows } = await sql<{ id: string }>`
      delete from agent_tasks where id in (
        select id from (
          select id, done_at, row_number() over (partition by server_id order by number desc) as place
          from agent_tasks where done_at is not null
        ) as ended where done_at < ${before} or place > ${mostKept} limit ${batchRows}
      ) returning id`.execute(db);
    total += rows.length;
    if (rows.length < batchRows) return total;
  }
  return total;
};
