import type { ColumnType, Generated } from 'kysely';

export interface SessionsTable {
  /** Identifies the session to people; opens nothing. */
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

/** A browser that has signed in to the account, as named by its device cookie. */
export interface KnownDevicesTable {
  admin_id: string;
  device_hash: Buffer;
  /** Digest of the password's hash: another password makes the device a stranger. */
  password_digest: Buffer;
  last_used_at: Generated<Date>;
}
