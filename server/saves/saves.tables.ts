import type { ColumnType } from 'kysely';
import type { SaveAction, ServerSaves } from '#contracts/saves.ts';
import type { ActColumns } from '../agent-tasks/agent-tasks.tables.ts';

/** At most one of a server is under way. */
export interface SaveActsTable extends ActColumns {
  action: SaveAction;
  /** What was asked for, as JSON: the same key with another request is refused by it. */
  request: string;
  /** Its name; of a backup null until it is made. */
  backup: string | null;
}

/** What an agent last told of a server's backups, with the events that it has led to. */
export interface ServerSavesTable {
  server_id: string;
  list: ColumnType<SavesList, string, string>;
  listed_at: Date;
  /** The newest backup that was told of, at most as far ahead as this machine's clock; null: none was. */
  told_until: Date | null;
  /** The last nightly backup that failed and was told of. */
  nightly_failure_at: Date | null;
}

export type SavesList = Omit<NonNullable<ServerSaves['list']>, 'at'>;
