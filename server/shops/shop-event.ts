import type { GameId } from '#contracts/games.ts';
import type { ShopAmount } from '#contracts/shop-webhooks.ts';

/**
 * What an event says of its order.
 * - `paid`: what was bought
 * - `refunded`: all of it
 * - `part-refunded`: some of it
 * - `disputed`, `dispute-won`, `dispute-lost`: of one dispute
 * - `nothing`: kept, and asks for nothing
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

/** As the shop names who gets it. `text`: what a person typed, which may be any of them. */
export interface NamedReceiver {
  readonly kind: 'id' | 'name' | 'member' | 'text';
  readonly text: string;
  /** Null: of the shop's game. */
  readonly game: GameId | null;
}

/** What is kept of an event. The buyer's name, mail, address and payment are not. */
export interface ShopFacts {
  readonly kind: ShopEventKind;
  /** Of `paid`: the shop's id of the order. */
  readonly orderId?: string;
  readonly lines?: readonly OutsideLine[];
  readonly receiver?: NamedReceiver | null;
  /** Its lines have different ones. */
  readonly hasSeveralReceivers?: boolean;
  readonly amount?: ShopAmount | null;
  /** Events of its refunds and disputes name nothing that would lead to it. */
  readonly hidesRefunds?: boolean;
  /** Of `part-refunded`: all that is refunded by now; without lines the shop does not say which. */
  readonly refunded?: number;
  readonly disputeId?: string;
}

export interface ShopEvent {
  readonly eventId: string;
  /** The shop's word for it, for people. */
  readonly type: string;
  /** Ids of the order, its payment and its charge: events that share one are of one order. */
  readonly refs: readonly string[];
  readonly facts: ShopFacts;
}
