import { type Kysely, sql } from 'kysely';
import { type LogName, type LogsUsage, logNames } from '#contracts/kernel/logs.ts';
import type { ExpiringTable } from './log-retention.ts';

export const logTables = {
  audit: 'audit_logs',
  events: 'event_logs',
} as const satisfies Record<LogName, ExpiringTable>;

/** Reads the catalog, not the logs. */
export const readLogsUsage = async <Tables>(
  db: Kysely<Tables>,
  retentionDays: Readonly<Record<LogName, number>>,
): Promise<LogsUsage> => {
  const logs = [];
  for (const name of logNames) logs.push(await readUsage(db, name, retentionDays[name]));
  return { logs };
};

const readUsage = async <Tables>(
  db: Kysely<Tables>,
  name: LogName,
  retentionDays: number,
): Promise<LogsUsage['logs'][number]> => {
  const table = logTables[name];
  // Rows per page at the last vacuum or analyze, times the current pages; before any, the count of the statistics.
  const { rows } = await sql<{ bytes: string; estimate: string; oldest: Date | null }>`
    select pg_total_relation_size(oid) as bytes,
           case when relpages > 0 and reltuples >= 0
                then round(reltuples::float8 / relpages * (pg_relation_size(oid) / current_setting('block_size')::int))
                else pg_stat_get_live_tuples(oid) end::bigint as estimate,
           (select at from ${sql.table(table)}
             where at >= now() - make_interval(days => ${retentionDays}) order by at, id limit 1) as oldest
    from pg_class where oid = ${table}::regclass
  `.execute(db);
  const { bytes = '0', estimate = '0', oldest = null } = rows[0] ?? {};
  return {
    name,
    bytes: Number(bytes),
    rowsEstimate: Number(estimate),
    oldestAt: oldest?.toISOString() ?? null,
    retentionDays,
  };
};
