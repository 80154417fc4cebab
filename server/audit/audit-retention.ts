import { type Kysely, sql } from 'kysely';
import type { AuditLogsTable } from './audit.tables.ts';

/** Rows a statement; small enough that an admin's own row never waits long. */
const chunkRows = 5000;

/** Deletes audit rows older than AUDIT_LOG_RETENTION_DAYS. @returns how many */
export const pruneAuditLogs = async (
  db: Kysely<{ audit_logs: AuditLogsTable }>,
  retentionDays: number,
): Promise<number> => {
  let total = 0;
  for (;;) {
    const result = await db
      .deleteFrom('audit_logs')
      .where('id', 'in', (of) =>
        of
          .selectFrom('audit_logs')
          .select('id')
          .where('at', '<', sql<Date>`now() - make_interval(days => ${retentionDays})`)
          .orderBy('at')
          .limit(chunkRows),
      )
      .executeTakeFirst();
    const deleted = Number(result.numDeletedRows);
    total += deleted;
    if (deleted < chunkRows) return total;
  }
};
