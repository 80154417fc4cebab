import type { ColumnType } from 'kysely';
import type { PowerAction, ProcessReport } from '#contracts/agent-tasks.ts';
import type { ProgramFault } from '#contracts/program-faults.ts';
import type { ActColumns } from '../agent-tasks/agent-tasks.tables.ts';

/** At most one act per server is running, plus a kill. */
export interface PowerActsTable extends ActColumns {
  action: PowerAction;
  countdown_seconds: number;
  /** Why it failed, if the game's program could not be run. */
  program: ColumnType<ProgramFault | null, string | null | undefined, string | null>;
}

/** What an agent last reported about a game's process, as far as the event log has it. */
export interface ServerProcessesTable {
  server_id: string;
  report: ColumnType<ProcessReport, string, string>;
  reported_at: Date;
  /** The time of the report's last crash; null: there was none. */
  crash_at: Date | null;
}
