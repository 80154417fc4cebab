import type pg from 'pg';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';

const intervalMs = 60_000;

/** Per statement; small enough that none takes long, however many addresses arrived together. */
const maxRows = 50_000;

/**
 * Rows whose last request is older than any window. A row that is being counted at this moment is skipped: waiting for
 * it here could deadlock with a statement that waits for this one.
 */
const statement = `
  delete from rate_counters where (scope, address) in (
    select scope, address from rate_counters
    where accepted_at[cardinality(accepted_at)] < now() - interval '2 minutes'
    limit ${maxRows}
    for update skip locked
  )`;

export const forgetOldCounters = async (pool: pg.Pool): Promise<void> => {
  let deleted: number | null;
  do ({ rowCount: deleted } = await pool.query(statement));
  while (deleted === maxRows);
};

export const keepForgettingCounters = (pool: pg.Pool, log: Log): Disposable =>
  runPeriodically({
    intervalMs,
    work: () => forgetOldCounters(pool),
    failure: 'could not delete old rate counters',
    log,
  });
