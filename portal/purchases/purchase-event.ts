import type { Gateway } from '#contracts/portal/purchases.ts';
import type { Money } from '#contracts/store/currency.ts';
import type { PurchaseFacts, PurchaseKind } from '../database/stored-values.ts';

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
