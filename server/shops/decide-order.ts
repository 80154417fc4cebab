import type { GameId } from '#contracts/games.ts';
import type { ShopOrderReason } from '#contracts/shop-order-reasons.ts';
import { givableReasons, mostShopQuantity, type ShopOrderState, type ShopProduct } from '#contracts/shops.ts';
import type { ShopOrderFold, ShopPurchase } from './order-state.ts';
import type { OutsideLine } from './shop-event.ts';
import type { Decision, GivenLine } from './shops.tables.ts';

/** What was done for an order of a shop, and what a person decided. */
export interface OrderRecord {
  /** Of the last order of the store; null if there was none. */
  readonly given: readonly GivenLine[] | null;
  readonly timesGiven: number;
  readonly isTaken: boolean;
  readonly takenProducts: readonly string[];
  readonly decisions: Readonly<Record<string, Decision>>;
}

export type FoundReceiver =
  | { readonly memberId: string }
  | {
      readonly reason: Extract<ShopOrderReason, `receiver-${string}`>;
      /** While no player is known: by what they would be. */
      readonly seenIds: readonly string[];
      readonly seenName: { readonly game: GameId; readonly key: string } | null;
    };

export interface Resting {
  readonly do: 'rest';
  readonly state: ShopOrderState;
  readonly reason: ShopOrderReason | null;
  readonly detail: string;
  /** The reason with what it is about. */
  readonly key: string | null;
}

export type NextStep =
  | Resting
  | { readonly do: 'give'; readonly lines: readonly GivenLine[]; readonly memberId: string }
  /** Null: the whole order. */
  | { readonly do: 'take'; readonly productIds: readonly string[] | null };

export interface OrderFacts {
  readonly fold: ShopOrderFold;
  readonly record: OrderRecord;
  /** Of the shop. */
  readonly products: readonly ShopProduct[];
  readonly receiver: FoundReceiver;
}

/** An order of the store has at most so many lines. */
const mostLines = 20;

const rest = (
  state: ShopOrderState,
  reason: ShopOrderReason | null = null,
  detail = '',
  key: string | null = reason,
): Resting => ({ do: 'rest', state, reason, detail, key });

/** What is to be done next for an order, so that the store comes to what the shop's events and a person's decisions say. */
export const decideOrder = (facts: OrderFacts): NextStep => {
  const { fold, record } = facts;
  const { purchase } = fold;
  if (!purchase) return rest('open');
  const next = decide(facts, purchase);
  // What was set aside for one reason is not given because that reason has gone.
  if (next.do === 'give' && Object.values(record.decisions).includes('set-aside')) return rest('set-aside');
  if (next.do !== 'rest' || next.key === null || record.decisions[next.key] !== 'set-aside') return next;
  return { ...next, state: 'set-aside' };
};

const decide = (facts: OrderFacts, purchase: ShopPurchase): NextStep => {
  const { fold, record } = facts;
  const isHeld = record.given !== null && !record.isTaken;
  const gone = goneReason(fold);
  if (gone !== null) {
    if (isHeld) return { do: 'take', productIds: null };
    return rest(record.timesGiven > 0 ? 'taken-back' : 'not-given', gone);
  }
  const open = openReasons(fold, isHeld).find(({ key }) => record.decisions[key ?? ''] !== 'give');
  if (open) return open;
  return isHeld ? keep(facts) : give(facts, purchase);
};

const goneReason = ({ refund, dispute }: ShopOrderFold): ShopOrderReason | null => {
  if (refund === 'whole') return 'refunded';
  if (dispute === 'lost') return 'charged-back';
  return dispute === 'open' ? 'disputed' : null;
};

/** What a person has to say before anything is given, each with what it is about: a later event asks again. */
const openReasons = (fold: ShopOrderFold, isHeld: boolean): readonly Resting[] => {
  const open: Resting[] = [];
  if (fold.contradicts) open.push(rest('person', 'contradicts'));
  if (fold.purchase?.hidesRefunds) open.push(rest('person', 'refunds-unseen'));
  // What is still there needs no one: the dispute was over before we heard of it.
  if (fold.dispute === 'won' && !isHeld)
    open.push(rest('person', 'dispute-won', '', `dispute-won ${fold.disputeIds.join(' ')}`));
  if (fold.refund === 'part' && fold.refundedLines === null)
    open.push(rest('person', 'part-refunded', '', `part-refunded ${fold.refunded}`));
  return open;
};

const piecesOf = (lines: readonly OutsideLine[]): ReadonlyMap<string, number> =>
  new Map(lines.map(({ product, quantity }) => [product, quantity]));

/** Of an order that was given: takes back the products that were refunded by themselves. */
const keep = ({ fold, record }: OrderFacts): NextStep => {
  const given = record.given ?? [];
  const refunded = piecesOf(fold.refundedLines ?? []);
  const isWhole = ({ key, bought }: GivenLine) => (refunded.get(key) ?? 0) >= bought;
  const productIds = [...new Set(given.map(({ productId }) => productId))];
  const gone = productIds.filter((id) => given.every((line) => line.productId !== id || isWhole(line)));
  const left = gone.filter((id) => !record.takenProducts.includes(id));
  if (left.length > 0) return { do: 'take', productIds: left };
  const split = given.filter(
    ({ productId, key, leftOut }) => !gone.includes(productId) && (refunded.get(key) ?? 0) > leftOut,
  );
  const key = `part-refunded ${JSON.stringify(fold.refundedLines)}`;
  if (split.length > 0 && record.decisions[key] !== 'give')
    return rest('person', 'part-refunded', split.map((line) => line.key).join(', '), key);
  if (productIds.every((id) => record.takenProducts.includes(id))) return rest('taken-back', 'refunded');
  return rest('given');
};

const give = ({ fold, products, receiver }: OrderFacts, purchase: ShopPurchase): NextStep => {
  const refunded = piecesOf(fold.refundedLines ?? []);
  const unfit = purchase.lines.filter(({ quantity }) => !(quantity > 0));
  if (unfit.length > 0 || purchase.lines.length === 0)
    return rest('person', 'quantity', unfit.map(({ product }) => product).join(', '));
  const paid = purchase.lines
    .map(({ product, quantity }) => ({ product, bought: quantity, leftOut: refunded.get(product) ?? 0 }))
    .filter(({ bought, leftOut }) => bought > leftOut);
  if (paid.length === 0) return rest('not-given', 'refunded');
  const unknown = paid.filter(({ product }) => !products.some(({ key }) => key === product));
  if (unknown.length > 0)
    return rest('person', 'product-unmapped', unknown.map(({ product }) => product).join(', '));
  const lines = paid.flatMap(({ product, bought, leftOut }) =>
    products.flatMap((entry): GivenLine[] =>
      entry.key === product && entry.productId !== null
        ? [
            {
              key: product,
              productId: entry.productId,
              quantity: (bought - leftOut) * entry.quantity,
              bought,
              leftOut,
            },
          ]
        : [],
    ),
  );
  if (lines.length === 0) return rest('not-given', 'nothing-to-give');
  const sums = wantedQuantities(lines);
  const huge = [...sums].filter(([, quantity]) => quantity > mostShopQuantity);
  if (huge.length > 0 || sums.size > mostLines)
    return rest('person', 'quantity', lines.map(({ key }) => key).join(', '));
  if ('memberId' in receiver) return { do: 'give', lines, memberId: receiver.memberId };
  return rest(receiver.reason === 'receiver-unseen' ? 'waiting' : 'person', receiver.reason);
};

/** Pieces by product of the store. */
export const wantedQuantities = (lines: readonly GivenLine[]): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const { productId, quantity } of lines) sums.set(productId, (sums.get(productId) ?? 0) + quantity);
  return sums;
};

export const isGivable = (reason: ShopOrderReason | null): boolean =>
  givableReasons.some((givable) => givable === reason);
