import type { ColumnType, Generated } from 'kysely';
import type { Severity } from '#contracts/event-row.ts';

/** One row per event; written once, deleted only by the retention. */
export interface EventLogsTable {
  id: Generated<string>;
  at: ColumnType<Date, Date | undefined, never>;
  kind: ColumnType<string, string, never>;
  severity: ColumnType<Severity, Severity, never>;
  server_id: ColumnType<string | null, string | null, never>;
  /** Written as JSON text. */
  payload: ColumnType<Record<string, unknown>, string, never>;
  /** The transaction that wrote it; the live stream follows it. */
  written_in: ColumnType<string, never, never>;
}

export interface EventsDatabase {
  event_logs: EventLogsTable;
}
