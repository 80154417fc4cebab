import type { ColumnType, Generated } from 'kysely';
import type { RestoreRun, SaveAction, ServerSaves } from '#contracts/saves.ts';
import type { ActColumns } from '../agent-tasks/agent-tasks.tables.ts';

/** At most one act per server is running. */
export interface SaveActsTable extends ActColumns {
  action: SaveAction;
  /** The request, as JSON: the same key with another request is refused. */
  request: string;
  /** Its name; for a new backup, null until it is made. */
  backup: string | null;
}

/** At most one run per server is under way. */
export interface RestoreRunsTable {
  id: string;
  server_id: string;
  action: RestoreRun['action'];
  backup: string;
  /** The request, as JSON: the same key with another request is refused. */
  request: string;
  countdown_seconds: number | null;
  starts: boolean;
  step: RestoreRun['step'];
  /** The end of the step before, while the game is started again after it. */
  settled: 'done' | 'failed' | 'cancelled' | null;
  /** Since when the step cannot go on; null: it can. */
  waits_since: Date | null;
  /** Whether an event has told that it waits. */
  waits_told: Generated<boolean>;
  /** From `makerReference`; null: the actor. */
  maker: string | null;
  /** Whether the game ran when it began; null: the previous release began it. */
  stops: boolean | null;
  actor: string;
  actor_name: string;
  address: string;
  idempotency_key: string | null;
  requested_at: ColumnType<Date, never, never>;
  outcome: RestoreRun['outcome'];
  problem: RestoreRun['problem'];
  detail: string | null;
  ended_at: Date | null;
}

/** What an agent last reported about a server's backups, and which events followed. */
export interface ServerSavesTable {
  server_id: string;
  list: ColumnType<SavesList, string, string>;
  listed_at: Date;
  /** The newest backup reported, at most as far ahead as this machine's clock; null: none was. */
  told_until: Date | null;
  /** The last failed nightly backup that was reported. */
  nightly_failure_at: Date | null;
}

/** What people asked for in the panel; null columns: the machine's own schedule. Version 0: nothing yet. */
export interface SavesSchedulesTable {
  server_id: string;
  version: number;
  at_minute: number | null;
  keep: number | null;
  days: number | null;
  changed_by: string;
  changed_at: ColumnType<Date, never, Date>;
  /** Why the agent did not take this version, in its words. */
  failure: string | null;
}

export type SavesList = Omit<NonNullable<ServerSaves['list']>, 'at'>;
