import type { ColumnType, Generated } from 'kysely';

export interface SessionsTable {
  /** Names the session to people; opens nothing. */
  id: string;
  token_hash: Buffer;
  admin_id: string;
  created_at: ColumnType<Date, never, never>;
  /** To the minute. */
  last_used_at: Generated<Date>;
  address: string;
  user_agent: string;
}
