import { createHash } from 'node:crypto';
import type { ShopAmount } from '#contracts/storefronts/shop-webhooks.ts';
import type { NamedReceiver, OutsideLine } from '../../kernel/database/stored-values.ts';
import type { ShopEvent } from './shop-event.ts';
import { isPaymentRef } from './stripe-event.ts';

export interface ShopPurchase {
  readonly externalId: string;
  readonly lines: readonly OutsideLine[];
  readonly receiver: NamedReceiver | null;
  readonly hasSeveralReceivers: boolean;
  readonly hidesRefunds: boolean;
  readonly isTest: boolean;
  readonly amount: ShopAmount | null;
}

export interface ShopOrderFold {
  /** Null until the purchase itself has arrived. */
  readonly purchase: ShopPurchase | null;
  /** Two events describe the purchase differently. */
  readonly contradicts: boolean;
  /** Covers all their descriptions, so that a third one changes it. */
  readonly purchasesDigest: string;
  readonly refund: 'none' | 'part' | 'whole';
  /** For a partial refund: what is refunded by product; null where the shop does not say, or names what was not bought. */
  readonly refundedLines: readonly OutsideLine[] | null;
  /** The largest sum of a partial refund. */
  readonly refunded: number;
  /** Covers the lines named as refunded; empty if there are none. */
  readonly refundedDigest: string;
  /** `open` while any of several is; `lost` if one was. */
  readonly dispute: 'none' | 'open' | 'won' | 'lost';
  readonly disputeIds: readonly string[];
}

type Facts = ShopEvent['facts'];

/** Pieces by product; an invalid quantity is kept, so that it is seen. */
const sumLines = (lines: readonly OutsideLine[]): readonly OutsideLine[] => {
  const sums = new Map<string, number>();
  for (const { product, quantity } of lines) {
    const isSound = Number.isSafeInteger(quantity) && quantity > 0;
    const before = sums.get(product) ?? 0;
    sums.set(product, isSound && before >= 0 ? before + quantity : -1);
  }
  return [...sums]
    .map(([product, quantity]) => ({ product, quantity }))
    .sort((a, b) => (a.product < b.product ? -1 : 1));
};

type BoughtTerms = Omit<ShopPurchase, 'amount' | 'isTest'> & { readonly isTest?: true };
const termsOf = (facts: Facts): BoughtTerms => ({
  externalId: facts.orderId ?? '',
  lines: sumLines(facts.lines ?? []),
  receiver: facts.receiver ?? null,
  hasSeveralReceivers: facts.hasSeveralReceivers === true,
  hidesRefunds: facts.hidesRefunds === true,
  // Absent where it is not, so that digests of earlier versions stay.
  ...(facts.isTest === true ? { isTest: true as const } : {}),
});

/** Sorted texts, of which the first is taken: any would do, as long as it is always the same one. */
const distinct = (values: readonly unknown[]): readonly string[] =>
  [...new Set(values.map((value) => JSON.stringify(value)))].sort();

/** Each event with lines names everything refunded so far, so the maximum per product counts. */
const mostOf = (parts: readonly Facts[]): readonly OutsideLine[] => {
  const most = new Map<string, number>();
  for (const { lines = [] } of parts)
    for (const { product, quantity } of sumLines(lines))
      most.set(product, Math.max(most.get(product) ?? 0, quantity));
  return [...most]
    .map(([product, quantity]) => ({ product, quantity }))
    .sort((a, b) => (a.product < b.product ? -1 : 1));
};

const digestOf = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\n')).digest('base64url').slice(0, 22);

/** Whether these lines are pieces of what was bought; before the purchase has arrived, they only need to be pieces. */
const areBought = (refunded: readonly OutsideLine[], bought: readonly OutsideLine[] | undefined): boolean =>
  sumLines(refunded).every(
    ({ product, quantity }) =>
      quantity > 0 &&
      (bought === undefined || quantity <= (bought.find((line) => line.product === product)?.quantity ?? 0)),
  );

const disputeOf = (events: readonly ShopEvent[]): Pick<ShopOrderFold, 'dispute' | 'disputeIds'> => {
  const ends = new Map<string, 'open' | 'won' | 'lost'>();
  for (const { facts } of events) {
    const { kind, disputeId } = facts;
    if (disputeId === undefined) continue;
    const known = ends.get(disputeId) ?? 'open';
    // A late event does not reopen a dispute that has ended, and a win does not cancel a loss.
    if (kind === 'dispute-lost' || known === 'lost') ends.set(disputeId, 'lost');
    else ends.set(disputeId, kind === 'dispute-won' ? 'won' : known);
  }
  const all = [...ends.values()];
  const dispute = (['lost', 'open', 'won'] as const).find((end) => all.includes(end)) ?? 'none';
  return { dispute, disputeIds: [...ends.keys()].sort() };
};

/** The state of an order, whatever the sequence and repetition of its events. */
export const foldShopOrder = (events: readonly ShopEvent[]): ShopOrderFold => {
  const of = (kind: Facts['kind']) => events.flatMap(({ facts }) => (facts.kind === kind ? [facts] : []));
  const paid = of('paid');
  const purchases = distinct(paid.map(termsOf));
  const [terms] = purchases;
  const [amount = 'null'] = distinct(paid.flatMap((facts) => facts.amount ?? []));
  const parts = of('part-refunded');
  const hasWhole = of('refunded').length > 0;
  const bought = terms === undefined ? null : (JSON.parse(terms) as BoughtTerms);
  const namesPayment = events.some(({ refs }) => refs.some(isPaymentRef));
  const isTold = parts.every(({ lines }) => lines !== undefined && areBought(lines, bought?.lines));
  const named = distinct(parts.flatMap(({ lines }) => (lines ? [sumLines(lines)] : [])));
  return {
    purchase: bought && {
      ...bought,
      hidesRefunds: bought.hidesRefunds && !namesPayment,
      isTest: bought.isTest === true,
      amount: JSON.parse(amount) as ShopAmount | null,
    },
    contradicts: purchases.length > 1,
    purchasesDigest: digestOf(purchases),
    refund: hasWhole ? 'whole' : parts.length > 0 ? 'part' : 'none',
    refundedLines: parts.length > 0 && isTold ? mostOf(parts) : null,
    refunded: Math.max(0, ...parts.map(({ refunded = 0 }) => refunded)),
    refundedDigest: named.length === 0 ? '' : digestOf(named),
    ...disputeOf(events),
  };
};
