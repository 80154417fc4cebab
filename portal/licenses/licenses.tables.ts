import type { Generated, GeneratedAlways, JSONColumnType, Selectable } from 'kysely';
import type { Language } from '#contracts/language.ts';
import type { LicenseStatus } from './license-status.ts';

interface TenantsTable {
  id: string;
  email: string;
  /** The language of the last visit or purchase; null: unknown. */
  language: Generated<Language | null>;
  created_at: Date;
}

interface PurchasesTable {
  /** Order id at the payment gateway. */
  id: string;
  tenant_id: string;
  buyer_email: string;
  state: 'paid' | 'refunded';
  purchased_at: Date;
  refunded_at: Date | null;
}

interface LicensesTable {
  id: string;
  tenant_id: string;
  /** Sealed under the master key. */
  key_sealed: string;
  /** Keyed hash, to find a license by its key. */
  key_hash: Buffer;
  tier: string;
  features: JSONColumnType<string[]>;
  max_clusters: number | null;
  expires_at: Date | null;
  status: LicenseStatus;
  buyer_email: string;
  buyer_name: string | null;
  purchase_id: string;
  created_at: Date;
  /** What the vendor told the customer when suspending or revoking the license; null while it is active. */
  status_reason: string | null;
  /** The last four characters of the key; null until they are filled in. */
  key_tail: string | null;
  /** The text that parts are searched in: address, name, order and end of the key, in lower case. */
  search_text: GeneratedAlways<string>;
}

/** The machine that a license is bound to: at most one row per license. */
interface MachinesTable {
  license_id: string;
  hwid: string;
  instance_id: string;
  version: string;
  bound_at: Date;
  last_validated_at: Date | null;
}

interface HwidTransfersTable {
  id: Generated<string>;
  license_id: string;
  from_hwid: string | null;
  to_hwid: string;
  state: 'pending' | 'completed' | 'cancelled';
  granted_by_vendor: Generated<boolean>;
  requested_at: Date;
  settled_at: Date | null;
}

export const licenseEventKinds = [
  'issued',
  'activated',
  'activation_refused',
  'unbound',
  'transfer_requested',
  'transfer_cancelled',
  'transfer_granted',
  'transferred',
  'key_revealed',
  'suspended',
  'resumed',
  'revoked',
  'extended',
  'subscription_ended',
] as const;
export type LicenseEventKind = (typeof licenseEventKinds)[number];

/** Append-only; the database refuses anything else. */
interface LicenseEventsTable {
  id: Generated<string>;
  license_id: string;
  kind: LicenseEventKind;
  /** Who caused it. */
  actor: LicenseActor;
  /** The name of a vendor account, or `command line`. */
  actor_name: string | null;
  data: JSONColumnType<Record<string, unknown>>;
  at: Date;
}
export type LicenseActor = 'client' | 'vendor' | 'gateway' | 'customer';

export interface Figures {
  /** Not expired, suspended or revoked. */
  readonly active: number;
  readonly expired: number;
  readonly suspended: number;
  readonly revoked: number;
  /** Active ones that are bound to a machine. */
  readonly bound: number;
  /** Those of the bound ones whose machine has not checked for over a day and an hour: it is in its grace period, or switched off. */
  readonly inGrace: number;
  /** Versions of the bound ones, most frequent first. */
  readonly versions: readonly { readonly version: string; readonly machines: number }[];
}

interface FiguresTable {
  only_row: Generated<boolean>;
  figures: JSONColumnType<Figures>;
  taken_at: Date;
}

export interface LicenseTables {
  tenants: TenantsTable;
  purchases: PurchasesTable;
  licenses: LicensesTable;
  machines: MachinesTable;
  hwid_transfers: HwidTransfersTable;
  license_events: LicenseEventsTable;
  vendor_figures: FiguresTable;
}

export type LicenseRow = Selectable<LicensesTable>;
export type MachineRow = Selectable<MachinesTable>;
