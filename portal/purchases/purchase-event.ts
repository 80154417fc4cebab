import type { Gateway } from '#contracts/purchases.ts';

/**
 * What an event of a gateway means to us.
 * - `purchase`: paid for; a license is due
 * - `renewal`: a subscription is paid until the end of another period
 * - `end`: a subscription is not renewed any more
 * - `refund`, `chargeback`: the money went back
 * - `link`: says only which ids belong to one order
 * - `nothing`: nothing, such as a refund of a part
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

/** What we keep of an event beside its ids. Times are ISO 8601. */
export interface PurchaseFacts {
  /** Of a purchase: under what name the order is kept. */
  readonly orderId?: string | undefined;
  readonly email?: string | undefined;
  readonly plan?: string | undefined;
  /** Whether the purchase began a subscription. */
  readonly subscription?: boolean | undefined;
  readonly periodEnd?: string | undefined;
}

/** An event of any gateway in one form. */
export interface PurchaseEvent {
  readonly gateway: Gateway;
  readonly eventId: string;
  /** As the gateway names it. */
  readonly type: string;
  readonly kind: PurchaseKind;
  /** Whatever ties it to an order, as the gateway names it. Events that share one, even through others, are of one order. */
  readonly references: readonly string[];
  readonly facts: PurchaseFacts;
  readonly occurredAt: Date;
  /** Of `nothing`: why. */
  readonly reason?: string;
}
