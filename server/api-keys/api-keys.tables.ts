import type { ColumnType } from 'kysely';

export interface ApiKeysTable {
  id: string;
  name: string;
  secret_hash: Buffer;
  /** Null: created by the desktop or the command line on this machine. */
  creator_id: string | null;
  permissions: string[];
  /** Null: all that the creator may use. */
  server_ids: string[] | null;
  created_at: ColumnType<Date, never, never>;
  expires_at: Date;
  /** To the minute. */
  last_used_at: ColumnType<Date | null, never, Date>;
}
