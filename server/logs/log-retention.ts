import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { LogPosition } from './log-cursor.ts';

/** Rows a statement: a few milliseconds of work, so that whoever waits for the disk or a lock waits no longer. */
const batchRows = 1000;
/** Between two batches at least this long, and at least as long as the batch took: others get half of the machine. */
const shortestPauseMs = 10;

export type ExpiringTable = 'audit_logs' | 'event_logs' | 'console_commands';

export interface RetentionOptions<Tables> {
  readonly db: Kysely<Tables>;
  readonly table: ExpiringTable;
  readonly retentionDays: number;
  /** Ends the work after the batch in hand; what is left expires the next time. */
  readonly signal: AbortSignal;
}

/** Deletes the rows older than the retention, oldest first. @returns how many */
export const deleteExpired = async <Tables>({
  db,
  table,
  retentionDays,
  signal,
}: RetentionOptions<Tables>): Promise<number> => {
  let total = 0;
  let beyond: LogPosition | null = null;
  while (!signal.aborted) {
    const beganMs = performance.now();
    const batch: Batch = await deleteBatch(db, table, retentionDays, beyond);
    total += batch.deleted;
    if (batch.deleted < batchRows) return total;
    beyond = batch.last;
    const pauseMs = Math.max(shortestPauseMs, performance.now() - beganMs);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return total;
};

interface Batch {
  readonly deleted: number;
  readonly last: LogPosition | null;
}

/** Each batch begins where the last one ended: the index still holds the rows that are gone, until the next vacuum. */
const deleteBatch = <Tables>(
  db: Kysely<Tables>,
  table: ExpiringTable,
  retentionDays: number,
  beyond: LogPosition | null,
): Promise<Batch> =>
  db.transaction().execute(async (trx) => {
    // What a crash brings back expires again.
    await sql`select set_config('synchronous_commit', 'off', true), set_config('castellan.retention', 'on', true)`.execute(
      trx,
    );
    const { rows } = await sql<{ deleted: number; at: Date | null; id: string | null }>`
      with batch as materialized (
        select ctid as place, at, id from ${sql.table(table)}
        where at < now() - make_interval(days => ${retentionDays})
          and (at, id) > (${beyond?.at ?? '-infinity'}, ${beyond?.id ?? '0'})
        order by at, id limit ${batchRows}
      ), gone as (
        delete from ${sql.table(table)} where ctid = any (array(select place from batch))
      ), last as (
        select at, id from batch order by at desc, id desc limit 1
      )
      select (select count(*)::int from batch) as deleted, (select at from last) as at, (select id from last) as id
    `.execute(trx);
    const { deleted = 0, at = null, id = null } = rows[0] ?? {};
    return { deleted, last: at && id ? { at, id } : null };
  });
