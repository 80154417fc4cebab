import type { WebhookOutcome } from '#contracts/purchases.ts';
import type { PurchaseFacts, PurchaseKind } from './purchase-event.ts';

export interface OrderEvent {
  readonly kind: PurchaseKind;
  readonly event_id: string;
  readonly facts: PurchaseFacts;
  readonly occurred_at: Date;
  readonly outcome: WebhookOutcome;
}

export interface OrderState {
  /** Null until the purchase itself has come in. */
  readonly purchase: {
    readonly orderId: string;
    readonly email: string | null;
    readonly plan: string | null;
    readonly purchasedAt: Date;
    readonly subscription: boolean;
    /** The vendor has set it aside: no license comes of it. */
    readonly dismissed: boolean;
  } | null;
  readonly refunded: { readonly as: 'refund' | 'chargeback'; readonly at: Date } | null;
  /** The end of the last period that was paid. */
  readonly paidUntil: Date | null;
  /** The end of the period with which the subscription ends. */
  readonly endsAt: Date | null;
}

/** What an order has come to, whatever the sequence in which its events came in. */
export const foldOrder = (events: readonly OrderEvent[]): OrderState => {
  const sorted = [...events].sort(
    (a, b) => a.occurred_at.getTime() - b.occurred_at.getTime() || (a.event_id < b.event_id ? -1 : 1),
  );
  const purchases = sorted.filter(({ kind, facts }) => kind === 'purchase' && facts.orderId !== undefined);
  const kept = purchases.filter(({ outcome }) => outcome !== 'ignored');
  const dismissed = kept.length === 0;
  const candidates = dismissed ? purchases : kept;
  const purchase = candidates.find(({ facts }) => facts.plan && facts.email) ?? candidates[0];
  const refund = sorted.find(({ kind }) => kind === 'refund' || kind === 'chargeback');
  const paidUntil = latest(sorted.filter(({ kind }) => kind === 'purchase' || kind === 'renewal'));
  const ended = latest(sorted.filter(({ kind }) => kind === 'end'));
  return {
    purchase:
      purchase?.facts.orderId === undefined
        ? null
        : {
            orderId: purchase.facts.orderId,
            email: purchase.facts.email ?? null,
            plan: purchase.facts.plan ?? null,
            purchasedAt: purchase.occurred_at,
            subscription: purchase.facts.subscription === true || paidUntil !== null || ended !== null,
            dismissed,
          },
    refunded: refund
      ? { as: refund.kind === 'refund' ? 'refund' : 'chargeback', at: refund.occurred_at }
      : null,
    paidUntil,
    // A period that was paid beyond the end: the subscription was taken up again.
    endsAt: ended && (paidUntil === null || ended >= paidUntil) ? ended : null,
  };
};

const latest = (events: readonly OrderEvent[]): Date | null => {
  const ends = events.flatMap(({ facts }) => (facts.periodEnd ? [Date.parse(facts.periodEnd)] : []));
  return ends.length === 0 ? null : new Date(Math.max(...ends));
};

const dayMs = 86_400_000;

/**
 * A gateway draws the money for the next period after the last one has ended, sometimes days after; nobody who is about to
 * pay is to stand without a license meanwhile. Once the subscription has ended there is nothing to wait for.
 */
export const renewalSlackDays = 3;

/** Until when the license of an order holds; null: for ever. */
export const expiryOf = (
  { paidUntil, endsAt }: OrderState,
  { purchasedAt, subscription }: NonNullable<OrderState['purchase']>,
  durationDays: number | null,
): Date | null => {
  const after = (start: Date, days: number) => new Date(start.getTime() + days * dayMs);
  // Paid in advance is paid; the last period of those who did not pay is not.
  if (endsAt) return paidUntil ?? endsAt;
  if (paidUntil) return after(paidUntil, renewalSlackDays);
  if (durationDays !== null) return after(purchasedAt, durationDays);
  // The first period's invoice is on its way.
  return subscription ? after(purchasedAt, renewalSlackDays) : null;
};

/**
 * The expiry to write, or the present one where there is nothing to change. A date that the vendor has set by hand is
 * never brought forward by a gateway.
 */
export const nextExpiry = (
  present: Date | null,
  applied: Date | null | undefined,
  wanted: Date | null,
): Date | null => {
  const isOurs = applied !== undefined && present?.getTime() === applied?.getTime();
  if (isOurs) return wanted;
  if (present === null) return null;
  return wanted === null || wanted > present ? wanted : present;
};
