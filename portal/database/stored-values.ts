import type { Language } from '#contracts/kernel/language.ts';

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

const vendorEventKinds = [
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

/**
 * The meaning of a gateway's event.
 * - `purchase`: paid for; a license is due
 * - `renewal`: a subscription is paid until the end of another period
 * - `end`: a subscription is no longer renewed
 * - `refund`, `chargeback`: the money went back
 * - `link`: only says which ids belong to one order
 * - `nothing`: nothing, for example a partial refund
 */
const purchaseKinds = ['purchase', 'renewal', 'end', 'refund', 'chargeback', 'link', 'nothing'] as const;
export type PurchaseKind = (typeof purchaseKinds)[number];

/** What is stored of an event besides its ids. Times are ISO 8601. */
export interface PurchaseFacts {
  /** For a purchase: the id under which the order is stored. */
  readonly orderId?: string | undefined;
  readonly email?: string | undefined;
  /** The buyer's name. */
  readonly name?: string | undefined;
  readonly plan?: string | undefined;
  readonly language?: Language | undefined;
  /** Whether the purchase began a subscription. */
  readonly subscription?: boolean | undefined;
  readonly periodEnd?: string | undefined;
  /** Whether the event named an amount. */
  readonly priced?: boolean | undefined;
}
