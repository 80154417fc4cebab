import type { ProblemEntry } from './problem-entry.ts';

/** Of members, what they buy, and its way to the games. */
export const storeProblems = {
  INSUFFICIENT_POINTS: {
    status: 409,
    title: 'Not enough points',
    meaning: "The member's wallet holds fewer points than this takes; nothing was changed.",
    remedy: 'Grant points first, or buy less.',
  },
  PRODUCT_NOT_FOR_SALE: {
    status: 409,
    title: 'Not for sale',
    meaning:
      'The product is disabled, archived, out of its sale window, stopped by a failed delivery, or holds an item that no one has confirmed yet.',
    remedy: 'The detail says which it is; change or release the product in the store.',
  },
  LIMIT_REACHED: {
    status: 409,
    title: 'Limit reached',
    meaning: 'The member has bought, been given or given away as much as the limits allow for now.',
    remedy: 'The detail says which limit.',
  },
  OUT_OF_STOCK: {
    status: 409,
    title: 'Out of stock',
    meaning: 'Fewer pieces of this product are left than were asked for; nothing was charged.',
    remedy: 'Ask for fewer, or raise the stock in the store.',
  },
  PRICE_CHANGED: {
    status: 409,
    title: 'Price changed',
    meaning: 'The order costs another sum now than the caller expected; nothing was charged.',
    remedy: 'Look at the preview again, and order at the new price.',
  },
  DISCOUNT_CODE_INVALID: {
    status: 409,
    title: 'Code gives no discount',
    meaning:
      'No discount in use has this code, or it does not count now, for this member or for these products, or it is used up; nothing was charged.',
    remedy: 'The preview says which it is. Order without the code, or with another one.',
  },
  MEMBER_GONE: {
    status: 409,
    title: 'Member merged or erased',
    meaning: 'The member was merged into another one, or erased, meanwhile; nothing was changed.',
    remedy: 'Read the member again: a merged one leads to the one that is left.',
  },
  MERGE_REFUSED: {
    status: 409,
    title: 'Cannot be merged',
    meaning:
      'The two are the same member, both have a Discord account, or the merge cannot be undone any more.',
    remedy: 'The detail says which it is.',
  },
  LINK_CODE_INVALID: {
    status: 409,
    title: 'Code not valid',
    meaning: 'The code is wrong, used, or older than ten minutes.',
    remedy: 'Ask for a new code and type it within ten minutes.',
  },
  REWARD_CODE_INVALID: {
    status: 409,
    title: 'Code not valid',
    meaning: 'There is no such code, or it is switched off, not valid yet, or not valid any more.',
    remedy: 'Check how it is written, and until when it is valid.',
  },
  REWARD_UNAVAILABLE: {
    status: 409,
    title: 'Not available',
    meaning: 'There is no daily reward now, members cannot give points away, or the offer has run out.',
    remedy: 'Switch it on under Rewards or in the settings, or ask for a new offer.',
  },
  DISCORD_ROLE_UNFIT: {
    status: 409,
    title: 'Role cannot be used',
    meaning:
      'Castellan does not give this role of the Discord server now, or never; or it gives it, so that it can give no rights.',
    remedy: 'The detail says why: set it right in Discord, or choose another role.',
  },
  DISCORD_NOT_LINKED: {
    status: 409,
    title: 'Discord account not linked',
    meaning: 'No player is linked to the Discord account, so there is no wallet and no one to deliver to.',
    remedy: 'Link a player by `/link` in Discord.',
  },
  RECEIVER_NOT_LINKED: {
    status: 409,
    title: 'Receiver not linked',
    meaning: 'No player is linked to the Discord account that is to receive this; nothing was charged.',
    remedy: 'Ask them to link a player by `/link` in Discord first.',
  },
  PRODUCT_INVALID: {
    status: 422,
    title: 'Product not possible',
    meaning: 'A line of the product cannot be given by its game, or its servers are not of that game.',
    remedy: 'Mend the line that the detail names.',
  },
  PICTURE_INVALID: {
    status: 422,
    title: 'Not a picture that can be used',
    meaning: 'The file is no PNG, JPEG or WebP, is damaged, too large, or has too many pixels.',
    remedy: 'Use a PNG, JPEG or WebP of at most 512 KiB and 2,048 pixels a side.',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 409,
    title: 'Key used for another order',
    meaning:
      'This caller has used the Idempotency-Key for an order with another body, or the shop has sent an event with this id and another content.',
    remedy:
      'Use a new key for each order, and a new id for each event; send the same body with the same one.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    title: 'Idempotency-Key not usable',
    meaning:
      'The header is empty, longer than 200 characters, or has characters that are not printable ASCII.',
    remedy: 'Send a random key, such as a UUID.',
  },
  DELIVERY_STATE: {
    status: 409,
    title: 'Not in that state',
    meaning: 'The delivery has ended, may have been sent already, or was refunded; nothing was changed.',
    remedy: 'Read the delivery again; what no one can tell the end of is decided at the desk.',
  },
  JOB_STATE: {
    status: 409,
    title: 'Job not in that state',
    meaning:
      'Only jobs that wait or have failed can be cancelled or tried again, and no refunded delivery is tried again.',
    remedy: 'Read the job again.',
  },
} as const satisfies Record<string, ProblemEntry>;
