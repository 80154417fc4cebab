/** Why an order cannot be given automatically. */
export const shopOrderReasons = [
  /** The event names no receiver. */
  'receiver-missing',
  /** A member that does not exist or was erased, or a text that is neither an id nor a name. */
  'receiver-unknown',
  /** Only a name, which proves nothing. */
  'receiver-by-name',
  /** Different receivers for its lines. */
  'receiver-several',
  /** No player with this id, or of this name, was seen yet. */
  'receiver-unseen',
  /** A product of the shop for which no product of the store is set. */
  'product-unmapped',
  /** The store refuses to give it; the detail says why. */
  'product-refused',
  /** A quantity that is no valid number of pieces, or too large. */
  'quantity',
  /** Part of it was refunded, and the shop does not say which part, or only some pieces of a line. */
  'part-refunded',
  /** A dispute was won: the money is back, but what was given is not. */
  'dispute-won',
  /** Two events describe the purchase differently. */
  'contradicts',
  /** Paid in the shop's test mode, where no money moves. */
  'test-purchase',
  /** A subscription at Stripe: events of its refunds and disputes do not name it. */
  'refunds-unseen',
  /** A delivery failed, was cancelled or was refunded here, which returned nothing of what was paid in the shop. */
  'not-delivered',
  /** It was taken back, and a season gives it again. */
  'season-regrant',
  /** A delivery cannot be taken back at the moment; this is retried. */
  'taking-back',
  'refunded',
  'disputed',
  'charged-back',
  /** All its products are set to give nothing in a game. */
  'nothing-to-give',
] as const;
export type ShopOrderReason = (typeof shopOrderReasons)[number];
