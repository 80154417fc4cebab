/** Why an order is not simply given. */
export const shopOrderReasons = [
  /** The event names no receiver. */
  'receiver-missing',
  /** It names a member that does not exist, was erased, or a text that is neither id nor name. */
  'receiver-unknown',
  /** A bare name, which proves nothing. */
  'receiver-by-name',
  /** Different receivers for its lines. */
  'receiver-several',
  /** No player with this id, or of this name, was seen yet. */
  'receiver-unseen',
  /** A product of the shop that no product of the store is entered for. */
  'product-unmapped',
  /** The store refuses to give it; the detail says why. */
  'product-refused',
  /** A quantity that is no number of pieces, or too many. */
  'quantity',
  /** A part of it was refunded, and the shop does not say which, or only some pieces of a line. */
  'part-refunded',
  /** A dispute was won: the money is back, what was given is not. */
  'dispute-won',
  /** Two events that name the purchase differently. */
  'contradicts',
  /** A subscription at Stripe: events of its refunds and disputes do not name it. */
  'refunds-unseen',
  /** A delivery failed, was cancelled or was refunded here, which returned nothing of what was paid outside. */
  'not-delivered',
  /** It was taken back, and a season gives it again. */
  'season-regrant',
  /** A delivery cannot be taken back at this moment; tried again. */
  'taking-back',
  'refunded',
  'disputed',
  'charged-back',
  /** All its products are entered as nothing in a game. */
  'nothing-to-give',
] as const;
export type ShopOrderReason = (typeof shopOrderReasons)[number];
