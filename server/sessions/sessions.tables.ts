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
  /** When the person last showed the password or second factor again. */
  stepped_up_at: ColumnType<Date | null, never, Date>;
}

/** A browser that has signed in to the account, as its device cookie names it. */
export interface KnownDevicesTable {
  admin_id: string;
  device_hash: Buffer;
  /** Of the password's hash: another password makes the device a stranger. */
  password_digest: Buffer;
  last_used_at: Generated<Date>;
}
