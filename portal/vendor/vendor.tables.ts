import type { Generated, JSONColumnType, Selectable } from 'kysely';

interface VendorAccountsTable {
  id: string;
  /** As first typed; compared ignoring case. */
  name: string;
  password_hash: string;
  /** The password is an initial one that someone else knows, too, and worthless after this time; null: it is the person's own. */
  initial_until: Date | null;
  /** The authenticator's secret, sealed under the master key; null until it is enrolled. */
  totp_sealed: string | null;
  totp_last_step: string | null;
  disabled_at: Date | null;
  created_at: Date;
  last_signed_in_at: Date | null;
  /** Null: UTC. */
  time_zone: string | null;
}

interface VendorRecoveryCodesTable {
  account_id: string;
  code_hash: Buffer;
}

/** `enrol`, `code`: the password was right, and this comes next; `full`: signed in. */
export type SessionStage = 'enrol' | 'code' | 'full';

interface VendorSessionsTable {
  id: string;
  token_hash: Buffer;
  account_id: string;
  stage: SessionStage;
  totp_sealed: string | null;
  /** For codes, before the session ends. */
  tries_left: number;
  created_at: Date;
  /** Accurate to the minute. */
  last_used_at: Date;
  address: string;
  user_agent: string;
}

interface VendorDevicesTable {
  token_hash: Buffer;
  account_id: string;
  last_used_at: Date;
}

export const vendorEventKinds = [
  'account_created',
  'account_disabled',
  'account_enabled',
  'account_reset',
  'authenticator_enrolled',
  'signed_in',
  'recovery_code_used',
  'password_changed',
  'recovery_codes_renewed',
  'keys_rotated',
  'key_retired',
  'keys_struck',
  'mail_retried',
  'purchase_retried',
  'purchase_dismissed',
  'plan_set',
  'plan_removed',
  'exported',
] as const;
export type VendorEventKind = (typeof vendorEventKinds)[number];

/** Append-only; the database refuses anything else. */
interface VendorEventsTable {
  id: Generated<string>;
  kind: VendorEventKind;
  /** The name of the account, or `command line`. */
  actor_name: string;
  /** The object of the action: the name of an account, the id of a key. */
  subject: string | null;
  data: JSONColumnType<Record<string, unknown>>;
  at: Date;
}

export type CheckOutcome = 'renewed' | 'refused' | 'limited';

interface CheckCountsTable {
  hour: Date;
  outcome: CheckOutcome;
  checks: string;
}

export interface VendorTables {
  vendor_accounts: VendorAccountsTable;
  vendor_recovery_codes: VendorRecoveryCodesTable;
  vendor_sessions: VendorSessionsTable;
  vendor_devices: VendorDevicesTable;
  vendor_events: VendorEventsTable;
  check_counts: CheckCountsTable;
}

export type AccountRow = Selectable<VendorAccountsTable>;
export type SessionRow = Selectable<VendorSessionsTable>;
