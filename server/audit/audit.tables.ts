import type { ColumnType, Generated } from 'kysely';

/** One row per admin action. */
export interface AuditLogsTable {
  id: Generated<string>;
  at: ColumnType<Date, never, never>;
  /** Who did it: an admin's id, an API key, `operator` for SQL by the command line. */
  actor: string;
  /** What was done, such as `sql.run`. */
  action: string;
  /** What it was done to. */
  target: string | null;
  /** Written as JSON text. */
  detail: ColumnType<Record<string, unknown>, string | undefined, never>;
  /** Where the request came from. */
  address: string | null;
}
