import type { ColumnType, Generated } from 'kysely';

/** One row per admin action; the database refuses changes, and only the retention deletes rows. */
export interface AuditLogsTable {
  id: Generated<string>;
  at: ColumnType<Date, never, never>;
  /** Who did it, as `kind:id`; `operator` for SQL by the command line. */
  actor: ColumnType<string, string, never>;
  /** Generated from `actor`. */
  actor_kind: ColumnType<string, never, never>;
  /** Generated from `actor`; empty if that names no one of its kind. */
  actor_id: ColumnType<string, never, never>;
  actor_name: ColumnType<string | null, string, never>;
  /** What was done, such as `sql.run`. */
  action: ColumnType<string, string, never>;
  /** What it was done to. */
  target: ColumnType<string | null, string | null, never>;
  /** Written as JSON text, like the next two. */
  detail: ColumnType<Record<string, unknown>, string | undefined, never>;
  before: ColumnType<unknown, string | null, never>;
  after: ColumnType<unknown, string | null, never>;
  /** Where the request came from. */
  address: ColumnType<string | null, string, never>;
}
