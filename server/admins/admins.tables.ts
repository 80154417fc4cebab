import type { ColumnType, Generated } from 'kysely';

export interface AdminsTable {
  id: string;
  name: string;
  /** The name in the compared form (name-key.ts). */
  name_key: string;
  /** In PHC format. */
  password_hash: string;
  /** Null: only what server_grants give. */
  role: string | null;
  disabled: Generated<boolean>;
  /** Covers name, role, grants and disabled together. */
  version: Generated<number>;
  /** Sealed. Not in force until totp_confirmed_at is set. */
  totp_secret: string | null;
  totp_confirmed_at: Date | null;
  /** The time step of the last code that was accepted; bigint, as text. */
  totp_last_step: ColumnType<string | null, never, number | null>;
  created_at: ColumnType<Date, never, never>;
  last_sign_in_at: Date | null;
}

/** A role's permissions on servers, granted to an admin for one of them. */
export interface ServerGrantsTable {
  admin_id: string;
  server_id: string;
  role: string;
}

/** Using a code deletes it. */
export interface RecoveryCodesTable {
  admin_id: string;
  code_hash: Buffer;
}

/** At most one row, and none once there is an owner. */
export interface SetupLinkTable {
  only_one: Generated<boolean>;
  token_hash: Buffer;
}
