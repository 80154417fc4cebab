import type { ColumnType } from 'kysely';
import type {
  AgentTask,
  AgentTaskKind,
  MachineFacts,
  ProcessReport,
  TaskProgress,
  TaskResult,
} from '#contracts/agent-tasks.ts';
import type { taskStates } from '#contracts/agent-tasks-http.ts';

type Json<Value> = ColumnType<Value, string, string>;
type NullableJson<Value> = ColumnType<Value | null, string | null | undefined, string | null>;
type Time = ColumnType<Date | null, Date | null | undefined, Date | null>;

/** Tasks for agents: open until `done_at` is set. */
export interface AgentTasksTable {
  id: string;
  /** Orders them; bigint, as text. */
  number: ColumnType<string, never, never>;
  server_id: string;
  kind: AgentTaskKind;
  request: Json<AgentTask>;
  state: ColumnType<(typeof taskStates)[number], undefined, (typeof taskStates)[number]>;
  /** Dated to when its state last changed. */
  progress: NullableJson<TaskProgress>;
  result: NullableJson<TaskResult>;
  /** Who asked for it, in the audit log's terms. */
  created_by: string;
  created_by_name: string;
  created_at: ColumnType<Date, never, never>;
  /** If it has not begun at this time, it is no longer run. */
  expires_at: Date;
  /** When it first went out. */
  sent_at: Time;
  /** When it was cancelled. */
  cancel_at: Time;
  done_at: Time;
}

/** What a server's agent last reported about its machine. */
export interface AgentReportsTable {
  server_id: string;
  /** The agent's process that reported it, by the journal of its hello. */
  journal: string;
  /** The name of the agent's memory of tasks. */
  task_journal: string;
  machine: Json<MachineFacts>;
  machine_at: Date;
  process: NullableJson<ProcessReport>;
  process_at: Time;
}

/** What the tables of all acts have in common. An act is under way until `ended_at` is set; its id is that of its task. */
export interface ActColumns {
  id: string;
  server_id: string;
  /** In the audit log's terms. */
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
