import { type Kysely, sql } from 'kysely';
import type { LogName } from '#contracts/kernel/logs.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { batchRows, deleteInBatches } from './delete-in-batches.ts';
import type { LogPosition } from './log-cursor.ts';

export type ExpiringTable = 'audit_logs' | 'event_logs' | 'console_commands';

export const retentionDaysOf = ({
  auditLogRetentionDays,
  eventLogRetentionDays,
}: Pick<StackConfig, 'auditLogRetentionDays' | 'eventLogRetentionDays'>): Readonly<
  Record<LogName, number>
> => ({
  audit: auditLogRetentionDays,
  events: eventLogRetentionDays,
});

interface RetentionOptions<Tables> {
  readonly db: Kysely<Tables>;
  readonly table: ExpiringTable;
  readonly retentionDays: number;
  /** Ends the work after the current batch; the rest expires the next time. */
  readonly signal: AbortSignal;
}

/** Deletes rows older than the retention, oldest first. @returns how many */
export const deleteExpired = <Tables>({
  db,
  table,
  retentionDays,
  signal,
}: RetentionOptions<Tables>): Promise<number> => {
  let beyond: LogPosition | null = null;
  return deleteInBatches(signal, async () => {
    const { deleted, last } = await deleteBatch(db, table, retentionDays, beyond);
    beyond = last;
    return { deleted, isLast: deleted < batchRows };
  });
};

interface Batch {
  readonly deleted: number;
  readonly last: LogPosition | null;
}

/** Each batch begins where the last one ended: until the next vacuum the index still holds the deleted rows. */
const deleteBatch = <Tables>(
  db: Kysely<Tables>,
  table: ExpiringTable,
  retentionDays: number,
  beyond: LogPosition | null,
): Promise<Batch> =>
  db.transaction().execute(async (trx) => {
    // Rows that a crash restores expire again.
    await sql`select set_config('synchronous_commit', 'off', true), set_config('castellan.retention', 'on', true)`.execute(
      trx,
    );
    const { rows } = await sql<{ deleted: number; at: Date | null; id: string | null }>`
      with batch as materialized (
        select ctid as place, at, id from ${sql.table(table)}
        where at < castellan_proven_now() - make_interval(days => ${retentionDays})
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
