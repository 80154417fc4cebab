import type { GameId } from '#contracts/servers/games.ts';
import type { ShopOrderReason } from '#contracts/storefronts/shop-order-reasons.ts';
import {
  givableReasons,
  mostShopQuantity,
  type ShopOrderState,
  type ShopProduct,
} from '#contracts/storefronts/shops.ts';
import type { GivenLine, OutsideLine, ShopDecision } from '../../kernel/database/stored-values.ts';
import type { ShopOrderFold, ShopPurchase } from './order-state.ts';

/** What was done for a shop's order, and what a person decided. */
export interface OrderRecord {
  /** By the last store order; null if there was none. */
  readonly given: readonly GivenLine[] | null;
  readonly timesGiven: number;
  readonly isTaken: boolean;
  readonly takenProducts: readonly string[];
  /** By product: pieces that were delivered or still may be, including those given again. */
  readonly held: ReadonlyMap<string, number>;
  /** Products that were taken back, and that a season gives again. */
  readonly regrants: readonly string[];
  readonly decisions: Readonly<Record<string, ShopDecision>>;
}

export type FoundReceiver =
  | { readonly memberId: string }
  | {
      readonly reason: Extract<ShopOrderReason, `receiver-${string}`>;
      /** While no player is known: the ids that would identify them. */
      readonly seenIds: readonly string[];
      readonly seenName: { readonly game: GameId; readonly key: string } | null;
    };

export interface Resting {
  readonly do: 'rest';
  readonly state: ShopOrderState;
  readonly reason: ShopOrderReason | null;
  readonly detail: string;
  /** The reason together with its subject. */
  readonly key: string | null;
}

export type NextStep =
  | Resting
  | {
      readonly do: 'give';
      readonly lines: readonly GivenLine[];
      readonly memberId: string;
      /** In products of the store. */
      readonly pieces: readonly ProductPieces[];
      /** Adds to what was given before, to replace what failed. */
      readonly isAdded: boolean;
    }
  /** Null: the whole order. */
  | { readonly do: 'take'; readonly productIds: readonly string[] | null };

export interface ProductPieces {
  readonly productId: string;
  readonly quantity: number;
}

export interface OrderFacts {
  readonly fold: ShopOrderFold;
  readonly record: OrderRecord;
  /** The shop's products. */
  readonly products: readonly ShopProduct[];
  readonly receiver: FoundReceiver;
}

/** The maximum number of lines in a store order. */
const mostLines = 20;

const rest = (
  state: ShopOrderState,
  reason: ShopOrderReason | null = null,
  detail = '',
  key: string | null = reason,
): Resting => ({ do: 'rest', state, reason, detail, key });

/** Decides the next step for an order, to bring the store in line with the shop's events and a person's decisions. */
export const decideOrder = (facts: OrderFacts): NextStep => {
  const { fold, record } = facts;
  const { purchase } = fold;
  if (!purchase) return rest('open');
  const next = decide(facts, purchase);
  // An order set aside for one reason is not given because that reason has disappeared.
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
    const again = regranted(record);
    if (again && record.decisions[again.key] !== 'give') return again;
    return rest(record.timesGiven > 0 ? 'taken-back' : 'not-given', gone);
  }
  const left = isHeld ? wholeRefunds(facts).filter((id) => !record.takenProducts.includes(id)) : [];
  if (left.length > 0) return { do: 'take', productIds: left };
  // What was left to the member when the order was taken back is asked about again before all of it is given a second time.
  const again = regranted(record, isHeld ? '' : ' given-again');
  const open = [
    ...openReasons(fold, isHeld),
    ...(isHeld ? reasonsOfHeld(facts) : []),
    ...(again ? [again] : []),
  ];
  const decisionOf = ({ key }: Resting) => record.decisions[key ?? ''];
  // A reason that was set aside does not hide later ones.
  const asked =
    open.find((one) => decisionOf(one) === undefined) ?? open.find((one) => decisionOf(one) !== 'give');
  if (asked) return asked;
  return isHeld ? keep(facts) : give(facts, purchase);
};

const goneReason = ({ refund, dispute }: ShopOrderFold): ShopOrderReason | null => {
  if (refund === 'whole') return 'refunded';
  if (dispute === 'lost') return 'charged-back';
  return dispute === 'open' ? 'disputed' : null;
};

/** What a person has to decide before anything is given, each with its subject: a later event asks again. */
const openReasons = (fold: ShopOrderFold, isHeld: boolean): readonly Resting[] => {
  const open: Resting[] = [];
  if (fold.contradicts) open.push(rest('person', 'contradicts', '', `contradicts ${fold.purchasesDigest}`));
  if (fold.purchase?.isTest) open.push(rest('person', 'test-purchase'));
  if (fold.purchase?.hidesRefunds) open.push(rest('person', 'refunds-unseen'));
  // If it is still there, no one is asked: the dispute was over before we heard of it.
  if (fold.dispute === 'won' && !isHeld)
    open.push(rest('person', 'dispute-won', '', `dispute-won ${fold.disputeIds.join(' ')}`));
  if (fold.refund === 'part' && fold.refundedLines === null)
    open.push(
      rest('person', 'part-refunded', '', `part-refunded ${fold.refunded} ${fold.refundedDigest}`.trimEnd()),
    );
  return open;
};

const piecesOf = (lines: readonly OutsideLine[]): ReadonlyMap<string, number> =>
  new Map(lines.map(({ product, quantity }) => [product, quantity]));

/** For an order that was given: products refunded separately, each with all its lines. */
const wholeRefunds = ({ fold, record }: OrderFacts): readonly string[] => {
  const given = record.given ?? [];
  const refunded = piecesOf(fold.refundedLines ?? []);
  const isWhole = ({ key, bought }: GivenLine) => (refunded.get(key) ?? 0) >= bought;
  return productsOf(given).filter((id) => given.every((line) => line.productId !== id || isWhole(line)));
};

const productsOf = (given: readonly GivenLine[]): readonly string[] => [
  ...new Set(given.map(({ productId }) => productId)),
];

/** What a person has to decide about an order that was given, after its fully refunded products were taken back. */
const reasonsOfHeld = (facts: OrderFacts): readonly Resting[] => {
  const { fold, record } = facts;
  const given = record.given ?? [];
  const open: Resting[] = [];
  const refunded = piecesOf(fold.refundedLines ?? []);
  const paid = stillPaid(facts);
  const split = given.filter(
    ({ productId, key, leftOut }) =>
      (record.held.get(productId) ?? 0) > (paid.get(productId) ?? 0) && (refunded.get(key) ?? 0) > leftOut,
  );
  if (split.length > 0)
    open.push(
      rest('person', 'part-refunded', keysOf(split), `part-refunded ${JSON.stringify(fold.refundedLines)}`),
    );
  const lost = lostPieces(facts);
  if (lost.length > 0) {
    const lines = given.filter((line) => lost.some(({ productId }) => productId === line.productId));
    const about = lost.map(({ productId, quantity }) => `${productId}:${quantity}`).join(' ');
    open.push(rest('person', 'not-delivered', keysOf(lines), `not-delivered ${record.timesGiven} ${about}`));
  }
  return open;
};

const keysOf = (lines: readonly GivenLine[]): string => [...new Set(lines.map(({ key }) => key))].join(', ');

/** By product that was not taken back: pieces that no refund names. */
const stillPaid = ({ fold, record }: OrderFacts): ReadonlyMap<string, number> => {
  const refunded = piecesOf(fold.refundedLines ?? []);
  const given = (record.given ?? []).filter(({ productId }) => !record.takenProducts.includes(productId));
  return wantedQuantities(
    given.map((line) => {
      const { key, bought, leftOut, quantity } = line;
      const left = Math.max(0, bought - Math.max(leftOut, refunded.get(key) ?? 0));
      return { ...line, quantity: left * (quantity / (bought - leftOut)) };
    }),
  );
};

/** Pieces that are still paid for, but neither were delivered nor will be. */
const lostPieces = (facts: OrderFacts): readonly ProductPieces[] =>
  [...stillPaid(facts)]
    .map(([productId, paid]) => ({ productId, quantity: paid - (facts.record.held.get(productId) ?? 0) }))
    .filter(({ quantity }) => quantity > 0)
    .sort((a, b) => (a.productId < b.productId ? -1 : 1));

const regranted = (
  { given, regrants }: OrderRecord,
  about: '' | ' given-again' = '',
): (Resting & { readonly key: string }) | null => {
  const lines = (given ?? []).filter(({ productId }) => regrants.includes(productId));
  if (lines.length === 0) return null;
  const key = `season-regrant${about} ${[...regrants].sort().join(' ')}`;
  return { ...rest('person', 'season-regrant', keysOf(lines)), key };
};

const keep = (facts: OrderFacts): NextStep => {
  const { record, receiver } = facts;
  const lines = record.given ?? [];
  const pieces = lostPieces(facts);
  if (pieces.length > 0) {
    if (!('memberId' in receiver)) return rest('person', receiver.reason);
    return { do: 'give', lines, memberId: receiver.memberId, pieces, isAdded: true };
  }
  if (productsOf(lines).every((id) => record.takenProducts.includes(id)))
    return rest('taken-back', 'refunded');
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
  if ('memberId' in receiver) {
    const pieces = [...sums].map(([productId, sum]) => ({ productId, quantity: sum }));
    return { do: 'give', lines, memberId: receiver.memberId, pieces, isAdded: false };
  }
  return rest(receiver.reason === 'receiver-unseen' ? 'waiting' : 'person', receiver.reason);
};

/** Pieces by store product. */
const wantedQuantities = (lines: readonly GivenLine[]): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const { productId, quantity } of lines) sums.set(productId, (sums.get(productId) ?? 0) + quantity);
  return sums;
};

export const isGivable = (reason: ShopOrderReason | null): boolean =>
  givableReasons.some((givable) => givable === reason);
