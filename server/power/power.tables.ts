import type { ColumnType } from 'kysely';
import type { PowerAction, ProcessReport, TaskResult } from '#contracts/agent-tasks.ts';

/** Under way until `ended_at` is set; at most one of a server is, and a kill besides. */
export interface PowerActsTable {
  id: string;
  server_id: string;
  action: PowerAction;
  countdown_seconds: number;
  /** As the audit log names it. */
  actor: string;
  actor_name: string;
  address: string;
  idempotency_key: string | null;
  requested_at: ColumnType<Date, never, never>;
  is_cancelled: ColumnType<boolean, never, boolean>;
  outcome: ColumnType<TaskResult['outcome'] | null, never, TaskResult['outcome']>;
  detail: ColumnType<string | null, never, string | null>;
  ended_at: ColumnType<Date | null, never, unknown>;
}

/** What an agent last told of a game's process, as far as the event log has it. */
export interface ServerProcessesTable {
  server_id: string;
  report: ColumnType<ProcessReport, string, string>;
  reported_at: Date;
  /** When the report's last crash was; null: there was none. */
  crash_at: Date | null;
}
