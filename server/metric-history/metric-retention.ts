import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { MetricHistoryDatabase } from './metric-history.tables.ts';

/** The longest chart plus two days, so that its first step is complete. */
const keptDays = 32;
/** Rows per statement: a few milliseconds of work. */
const batchRows = 1000;
const shortestPauseMs = 10;

/**
 * Deletes the minutes that no chart shows any more, in batches.
 * @param signal ends the work after the current batch
 * @returns how many were deleted
 */
export const deleteOldMetrics = async (
  db: Kysely<MetricHistoryDatabase>,
  signal: AbortSignal,
): Promise<number> => {
  const before = sql<Date>`now() - make_interval(days => ${keptDays})`;
  let total = 0;
  while (!signal.aborted) {
    const beganMs = performance.now();
    const { numDeletedRows } = await db
      .deleteFrom('figures')
      .where('at', 'in', (query) =>
        query.selectFrom('figures').select('at').where('at', '<', before).orderBy('at').limit(batchRows),
      )
      .executeTakeFirstOrThrow();
    total += Number(numDeletedRows);
    if (numDeletedRows < batchRows) return total;
    const pauseMs = Math.max(shortestPauseMs, performance.now() - beganMs);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return total;
};
