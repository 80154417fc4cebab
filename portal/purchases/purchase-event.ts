import type { Money } from '#contracts/currency.ts';
import type { Language } from '#contracts/language.ts';
import type { Gateway } from '#contracts/purchases.ts';

/**
 * The meaning of a gateway's event.
 * - `purchase`: paid for; a license is due
 * - `renewal`: a subscription is paid until the end of another period
 * - `end`: a subscription is no longer renewed
 * - `refund`, `chargeback`: the money went back
 * - `link`: only says which ids belong to one order
 * - `nothing`: nothing, for example a partial refund
 */
export const purchaseKinds = [
  'purchase',
  'renewal',
  'end',
  'refund',
  'chargeback',
  'link',
  'nothing',
] as const;
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

/** Money that an event reports. The same reference of a gateway counts once, whichever and however many events report it. */
export interface PurchasePayment {
  readonly direction: 'paid' | 'returned';
  /** The gateway's name for what was paid: an invoice, a checkout, a period of an order. */
  readonly reference: string;
  /** What refunded amounts are subtracted from: a charge, an order. */
  readonly source: string;
  /** Null: everything paid for the source, minus what was already refunded. */
  readonly money: Money | null;
  /** Whether `money` is the total refunded for the source so far, rather than the amount of this refund. */
  readonly isTotal?: boolean;
}

/** An event of any gateway in one form. */
export interface PurchaseEvent {
  readonly gateway: Gateway;
  readonly eventId: string;
  /** The gateway's name for the type. */
  readonly type: string;
  readonly kind: PurchaseKind;
  /** Everything that ties it to an order, in the gateway's ids. Events that share one, even indirectly, belong to one order. */
  readonly references: readonly string[];
  readonly facts: PurchaseFacts;
  readonly payment?: PurchasePayment | undefined;
  readonly occurredAt: Date;
  /** For `nothing`: why. */
  readonly reason?: string;
}
