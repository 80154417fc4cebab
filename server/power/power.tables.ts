import type { ColumnType } from 'kysely';
import type { PowerAction, ProcessReport } from '#contracts/agent-tasks.ts';
import type { ActColumns } from '../agent-tasks/agent-tasks.tables.ts';

/** At most one of a server is under way, and a kill besides. */
export interface PowerActsTable extends ActColumns {
  action: PowerAction;
  countdown_seconds: number;
}

/** What an agent last told of a game's process, as far as the event log has it. */
export interface ServerProcessesTable {
  server_id: string;
  report: ColumnType<ProcessReport, string, string>;
  reported_at: Date;
  /** When the report's last crash was; null: there was none. */
  crash_at: Date | null;
}
