import type { Language } from '#contracts/kernel/language.ts';
import { capExpiry } from '#contracts/license/licenses.ts';
import type { WebhookOutcome } from '#contracts/portal/purchases.ts';
import type { PurchaseFacts, PurchaseKind } from '../database/stored-values.ts';

export interface OrderEvent {
  readonly kind: PurchaseKind;
  readonly event_id: string;
  readonly facts: PurchaseFacts;
  readonly occurred_at: Date;
  readonly outcome: WebhookOutcome;
}

export interface OrderState {
  /** Null until the purchase itself has arrived. */
  readonly purchase: {
    readonly orderId: string;
    readonly email: string | null;
    readonly name: string | null;
    readonly plan: string | null;
    /** The buyer's language; null if the gateway does not say. */
    readonly language: Language | null;
    readonly purchasedAt: Date;
    readonly subscription: boolean;
    /** The vendor has set it aside: it gets no license. */
    readonly dismissed: boolean;
  } | null;
  readonly refunded: { readonly as: 'refund' | 'chargeback'; readonly at: Date } | null;
  /** The end of the last paid period. */
  readonly paidUntil: Date | null;
  /** The end of the period after which the subscription ends. */
  readonly endsAt: Date | null;
}

/** The state of an order, whatever the sequence in which its events arrived. */
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
            name: purchase.facts.name ?? null,
            plan: purchase.facts.plan ?? null,
            language: purchase.facts.language ?? null,
            purchasedAt: purchase.occurred_at,
            subscription: purchase.facts.subscription === true || paidUntil !== null || ended !== null,
            dismissed,
          },
    refunded: refund
      ? { as: refund.kind === 'refund' ? 'refund' : 'chargeback', at: refund.occurred_at }
      : null,
    paidUntil,
    // A period paid beyond the end means that the subscription was resumed.
    endsAt: ended && (paidUntil === null || ended >= paidUntil) ? ended : null,
  };
};

const latest = (events: readonly OrderEvent[]): Date | null => {
  const ends = events.flatMap(({ facts }) => (facts.periodEnd ? [Date.parse(facts.periodEnd)] : []));
  return ends.length === 0 ? null : new Date(Math.max(...ends));
};

const dayMs = 86_400_000;

/**
 * A gateway charges for the next period after the last one has ended, sometimes days later; no one who is about to pay
 * should be without a license in between. Once the subscription has ended, there is nothing to wait for.
 */
const renewalSlackDays = 3;

/** Until when the license of an order lasts; null: forever. */
export const expiryOf = (
  { paidUntil, endsAt }: OrderState,
  { purchasedAt, subscription }: NonNullable<OrderState['purchase']>,
  durationDays: number | null,
): Date | null => {
  const after = (start: Date, days: number) => capExpiry(new Date(start.getTime() + days * dayMs));
  // What is paid in advance remains valid; a last period that was not paid does not.
  if (endsAt) return paidUntil ?? endsAt;
  if (paidUntil) return after(paidUntil, renewalSlackDays);
  if (durationDays !== null) return after(purchasedAt, durationDays);
  // The first period's invoice is still to come.
  return subscription ? after(purchasedAt, renewalSlackDays) : null;
};

/**
 * The expiry to write, or the current one if nothing changes. A gateway never shortens a date that the vendor set by
 * hand.
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
