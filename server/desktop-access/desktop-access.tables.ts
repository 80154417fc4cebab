import type { ColumnType } from 'kysely';

export interface DesktopAccessTable {
  id: string;
  /** An account of the operating system. */
  account: string;
  secret_hash: Buffer;
  created_at: ColumnType<Date, never, never>;
  expires_at: Date;
  /** To the minute. */
  last_used_at: ColumnType<Date | null, never, Date>;
  /** It also stays in api_keys, and is over when the previous version has deleted it there. */
  was_api_key: ColumnType<boolean, never, never>;
}
