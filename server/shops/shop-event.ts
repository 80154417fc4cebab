import type { GameId } from '#contracts/games.ts';
import type { ShopAmount } from '#contracts/shop-webhooks.ts';

/**
 * What an event says about its order.
 * - `paid`: what was bought
 * - `refunded`: all of it
 * - `part-refunded`: some of it
 * - `disputed`, `dispute-won`, `dispute-lost`: about one dispute
 * - `nothing`: kept without consequences
 */
export type ShopEventKind =
  | 'paid'
  | 'refunded'
  | 'part-refunded'
  | 'disputed'
  | 'dispute-won'
  | 'dispute-lost'
  | 'nothing';

export interface OutsideLine {
  readonly product: string;
  readonly quantity: number;
}

/** The receiver as named by the shop. `text`: typed by a person, so it may be any of the others. */
export interface NamedReceiver {
  readonly kind: 'id' | 'name' | 'member' | 'text';
  readonly text: string;
  /** Null: the shop's game. */
  readonly game: GameId | null;
}

/** What is kept of an event. The buyer's name, mail, address and payment are not. */
export interface ShopFacts {
  readonly kind: ShopEventKind;
  /** For `paid`: the shop's id of the order. */
  readonly orderId?: string;
  readonly lines?: readonly OutsideLine[];
  readonly receiver?: NamedReceiver | null;
  /** Its lines have different receivers. */
  readonly hasSeveralReceivers?: boolean;
  readonly amount?: ShopAmount | null;
  /** Events of its refunds and disputes contain nothing that leads to it, unless another event names its payment. */
  readonly hidesRefunds?: boolean;
  /** Paid in the shop's test mode: no money. Absent: real. */
  readonly isTest?: true;
  /** For `part-refunded`: the total refunded so far; without lines the shop does not say which. */
  readonly refunded?: number;
  readonly disputeId?: string;
}

export interface ShopEvent {
  readonly eventId: string;
  /** The shop's name for it, for people. */
  readonly type: string;
  /** Ids of the order, its payment and its charge: events that share one belong to one order. */
  readonly refs: readonly string[];
  readonly facts: ShopFacts;
}
