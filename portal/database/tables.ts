// The license portal's tables as types, from its database after all migrations and from column-types.ts.
// tests/outside/outside.test.ts writes this file; only its comments are written by hand, and stay. For the rest, change the
// migrations or column-types.ts, then run
//   npx vitest run --project integration tests/outside -u

import type { Generated, GeneratedAlways } from 'kysely';
import type { Narrowed } from '#runtime/database/narrowed.ts';
import type { ColumnTypes } from './column-types.ts';

export interface CheckCountsTable {
  hour: Date;
  outcome: 'renewed' | 'refused' | 'limited';
  checks: string;
}

export interface CustomerAttemptsTable {
  scope: string;
  subject: Buffer;
  made_at: Date[];
  granted: boolean;
}

export interface CustomerCodesTable {
  /** SHA-256 of the secret that only the browser or program that requested the code has. */
  holder_hash: Buffer;
  purpose: 'sign-in' | 'reveal-key';
  /** As typed. */
  email: string;
  /** Null: no customer has this address, and no code matches. */
  tenant_id: string | null;
  license_id: string | null;
  /** Over the code and the holder's secret: codes cannot be tried against the table alone. */
  code_hash: Buffer;
  tries_left: number;
  expires_at: Date;
}

/** Browsers that have signed in before. */
export interface CustomerDevicesTable {
  token_hash: Buffer;
  tenant_id: string;
  last_used_at: Date;
}

export interface CustomerSessionsTable {
  id: string;
  token_hash: Buffer;
  tenant_id: string;
  kind: 'browser' | 'program';
  created_at: Date;
  /** Accurate to the minute. */
  last_used_at: Date;
  address: string;
  user_agent: string;
}

export interface FulfilmentsTable {
  purchase_id: string;
  license_id: string;
  applied_expires_at: Date | null;
  /** Whether the buyer was told that the subscription has ended. */
  ended: Generated<boolean>;
}

export interface HwidTransfersTable {
  id: GeneratedAlways<string>;
  license_id: string;
  from_hwid: string | null;
  to_hwid: string;
  state: 'pending' | 'completed' | 'cancelled';
  granted_by_vendor: Generated<boolean>;
  requested_at: Date;
  settled_at: Date | null;
}

export interface KeyStrikesTable {
  /** Incremented by each revocation. */
  number: number;
  /** Signed by a key that is later than all that it revokes. */
  document: string;
  made_at: Date;
}

/** Append-only; the database refuses anything else. */
export interface LicenseEventsTable {
  id: GeneratedAlways<string>;
  license_id: string;
  kind: Narrowed<string, ColumnTypes['license_events.kind']>;
  /** Who caused it. */
  actor: Narrowed<string, ColumnTypes['license_events.actor']>;
  data: Narrowed<unknown, ColumnTypes['license_events.data']>;
  at: Date;
  /** The name of a vendor account, or `command line`. */
  actor_name: string | null;
}

export interface LicensesTable {
  id: string;
  tenant_id: string;
  /** Sealed under the master key. */
  key_sealed: string;
  /** Keyed hash, to find a license by its key. */
  key_hash: Buffer;
  tier: string;
  features: Narrowed<unknown, ColumnTypes['licenses.features']>;
  max_clusters: number | null;
  expires_at: Date | null;
  status: 'active' | 'suspended' | 'revoked';
  buyer_email: string;
  purchase_id: string;
  created_at: Date;
  /** What the vendor told the customer when suspending or revoking the license; null while it is active. */
  status_reason: string | null;
  buyer_name: string | null;
  /** The last four characters of the key; null until they are filled in. */
  key_tail: string | null;
  /** The text that parts are searched in: address, name, order and end of the key, in lower case. */
  search_text: GeneratedAlways<string>;
}

/** The machine that a license is bound to: at most one row per license. */
export interface MachinesTable {
  license_id: string;
  hwid: string;
  instance_id: string;
  version: string;
  bound_at: Date;
  last_validated_at: Date | null;
}

/** Mails to send, and their results. */
export interface MailOutboxTable {
  id: string;
  /** Fixed with the row, so that a recipient can recognize the same mail. */
  message_id: string;
  /** The template that made it, such as `license_issued`. */
  kind: string;
  recipient: string;
  /** Never contains a code or a key: it is kept after the sending. */
  subject: string;
  /** JSON of text and html, sealed under the master key; null once it was sent or has become worthless. */
  body_sealed: string | null;
  state: Generated<'due' | 'sent' | 'given_up'>;
  /** How often a sender claimed it. */
  attempts: Generated<number>;
  /** While a sender works on it: when another one may take it over. */
  next_attempt_at: Date;
  /** When its content becomes outdated; null: never. */
  expires_at: Date | null;
  /** Why the last attempt failed, without addresses or our texts. */
  last_fault: string | null;
  created_at: Date;
  settled_at: Date | null;
}

/** Payments and refunds as a gateway reported them: the source of the sales figures. */
export interface PaymentsTable {
  gateway: Narrowed<string, ColumnTypes['payments.gateway']>;
  direction: 'paid' | 'returned';
  reference: string;
  source: string;
  event_id: string;
  /** In minor units; null: everything paid for the source. */
  minor: string | null;
  currency: string | null;
  is_total: boolean;
  at: Date;
}

export interface PlansTable {
  /** The product's name at the gateway. */
  id: string;
  tier: string;
  /** `['*']` means all. */
  features: Narrowed<unknown, ColumnTypes['plans.features']>;
  max_clusters: number | null;
  /** For a single purchase; null: its license never expires. */
  duration_days: number | null;
  updated_at: Date;
}

export interface PurchasesTable {
  /** Order id at the payment gateway. */
  id: string;
  tenant_id: string;
  buyer_email: string;
  state: 'paid' | 'refunded';
  purchased_at: Date;
  refunded_at: Date | null;
}

/** Reached by one hand-written statement only. */
export interface RateCountersTable {
  scope: string;
  address: string;
  accepted_at: Date[];
  granted: number;
}

export interface SigningKeysTable {
  /** RFC 7638 thumbprint of the public key. */
  kid: string;
  /** Position in the chain of succession; the first key has 1. */
  sequence: number;
  /** Raw 32 bytes as base64url. */
  public_key: string;
  /** Raw 32 bytes, sealed under the master key; destroyed on retirement. */
  private_key_sealed: string | null;
  state: 'next' | 'active' | 'retiring' | 'retired';
  /** The predecessor's signature over kid, key, issuer and sequence; the first key has none. */
  endorsement: string | null;
  created_at: Date;
  /** From then on, tokens of this key prove nothing. */
  struck_at: Date | null;
  activated_at: Date | null;
  retiring_since: Date | null;
  retired_at: Date | null;
}

export interface TenantsTable {
  id: string;
  email: string;
  created_at: Date;
  /** The language of the last visit or purchase; null: unknown. */
  language: 'en' | 'pt-BR' | null;
}

/** A transfer beyond the free one, granted by the vendor; like that one, it is used up when the new machine is bound. */
export interface TransferGrantsTable {
  id: GeneratedAlways<string>;
  license_id: string;
  /** Name of the vendor account, or `command line`. */
  granted_by: string;
  granted_at: Date;
  spent_by: string | null;
}

export interface VaultKeysTable {
  name: string;
  /** 32 bytes in hexadecimal, sealed under the master key. */
  key_sealed: string;
  created_at: Date;
}

export interface VendorAccountsTable {
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

export interface VendorAttemptsTable {
  scope: string;
  subject: Buffer;
  tokens: number;
  counted_at: Date;
}

export interface VendorDevicesTable {
  token_hash: Buffer;
  account_id: string;
  last_used_at: Date;
}

/** Append-only; the database refuses anything else. */
export interface VendorEventsTable {
  id: GeneratedAlways<string>;
  kind: Narrowed<string, ColumnTypes['vendor_events.kind']>;
  /** The name of the account, or `command line`. */
  actor_name: string;
  /** The object of the action: the name of an account, the id of a key. */
  subject: string | null;
  data: Narrowed<unknown, ColumnTypes['vendor_events.data']>;
  at: Date;
}

export interface VendorFiguresTable {
  only_row: Generated<boolean>;
  figures: Narrowed<unknown, ColumnTypes['vendor_figures.figures']>;
  taken_at: Date;
}

export interface VendorRecoveryCodesTable {
  account_id: string;
  code_hash: Buffer;
}

export interface VendorSessionsTable {
  id: string;
  token_hash: Buffer;
  account_id: string;
  /** `enrol`, `code`: the password was right, and this comes next; `full`: signed in. */
  stage: 'enrol' | 'code' | 'full';
  totp_sealed: string | null;
  /** For codes, before the session ends. */
  tries_left: number;
  created_at: Date;
  /** Accurate to the minute. */
  last_used_at: Date;
  address: string;
  user_agent: string;
}

/** Card data and other unused fields are not stored; the hash shows whether a payload is the same. */
export interface WebhookEventsTable {
  id: string;
  gateway: 'generic' | 'stripe';
  event_id: string;
  /** The gateway's name for the type. */
  type: string;
  kind: Narrowed<string, ColumnTypes['webhook_events.kind']>;
  /** Everything that ties the event to an order, as `gateway:id`. */
  refs: string[];
  facts: Narrowed<unknown, ColumnTypes['webhook_events.facts']>;
  payload_sha256: Buffer;
  occurred_at: Date;
  received_at: Date;
  outcome: 'processed' | 'waiting' | 'unprocessed' | 'ignored';
  /** Why it is not processed, for people. */
  reason: string | null;
  purchase_id: string | null;
}

export interface PortalTables {
  check_counts: CheckCountsTable;
  customer_attempts: CustomerAttemptsTable;
  customer_codes: CustomerCodesTable;
  customer_devices: CustomerDevicesTable;
  customer_sessions: CustomerSessionsTable;
  fulfilments: FulfilmentsTable;
  hwid_transfers: HwidTransfersTable;
  key_strikes: KeyStrikesTable;
  license_events: LicenseEventsTable;
  licenses: LicensesTable;
  machines: MachinesTable;
  mail_outbox: MailOutboxTable;
  payments: PaymentsTable;
  plans: PlansTable;
  purchases: PurchasesTable;
  rate_counters: RateCountersTable;
  signing_keys: SigningKeysTable;
  tenants: TenantsTable;
  transfer_grants: TransferGrantsTable;
  vault_keys: VaultKeysTable;
  vendor_accounts: VendorAccountsTable;
  vendor_attempts: VendorAttemptsTable;
  vendor_devices: VendorDevicesTable;
  vendor_events: VendorEventsTable;
  vendor_figures: VendorFiguresTable;
  vendor_recovery_codes: VendorRecoveryCodesTable;
  vendor_sessions: VendorSessionsTable;
  webhook_events: WebhookEventsTable;
}
