import type { ProblemEntry } from './problem-entry.ts';

/** Problems with members, their purchases, and the delivery to the games. */
export const storeProblems = {
  INSUFFICIENT_POINTS: {
    status: 409,
    title: 'Not enough points',
    meaning: 'The member’s wallet does not have enough points. Nothing was changed.',
    remedy: 'Give points first, or buy less.',
  },
  PRODUCT_NOT_FOR_SALE: {
    status: 409,
    title: 'Not on sale',
    meaning:
      'The product is off, archived, outside its sale dates, paused after a failed delivery, or has an unconfirmed item.',
    remedy: 'Change the product in the store, or put it back on sale.',
  },
  RECIPIENT_UNSEEN: {
    status: 409,
    title: 'Recipient not seen in this game',
    meaning: 'The recipient has no player in the product’s game, so a test would only wait.',
    remedy: 'Choose a member who has played on a server of this game.',
  },
  LIMIT_REACHED: {
    status: 409,
    title: 'Limit reached',
    meaning: 'The member has reached a purchase limit or gift limit.',
    remedy: 'Try again later, or change the limit.',
  },
  OUT_OF_STOCK: {
    status: 409,
    title: 'Out of stock',
    meaning: 'The store does not have that many left. Nothing was charged.',
    remedy: 'Order fewer, or raise the stock in the store.',
  },
  PRICE_CHANGED: {
    status: 409,
    title: 'Price changed',
    meaning: 'The price of the order changed in the meantime. Nothing was charged.',
    remedy: 'Check the new price, then order again.',
  },
  DISCOUNT_CODE_INVALID: {
    status: 409,
    title: 'Discount code not accepted',
    meaning:
      'The code does not exist, has expired or reached its limit, or is not for this member or these products. Nothing was charged.',
    remedy: 'Order without the code, or with another one.',
  },
  MEMBER_GONE: {
    status: 409,
    title: 'Member merged or erased',
    meaning: 'The member was merged or erased in the meantime. Nothing was changed.',
    remedy: 'Open the members list and choose the member again.',
  },
  MERGE_REFUSED: {
    status: 409,
    title: 'Merge not possible',
    meaning: 'Both are the same member, both have a Discord account, or the merge can no longer be undone.',
    remedy: 'Choose another member, or unlink one Discord account first.',
  },
  LINK_CODE_INVALID: {
    status: 409,
    title: 'Code not accepted',
    meaning: 'The code is wrong, was already used, or is older than ten minutes.',
    remedy: 'Create a new code and enter it within ten minutes.',
  },
  REWARD_CODE_INVALID: {
    status: 409,
    title: 'Code not accepted',
    meaning: 'The code does not exist, is turned off, is not valid yet, or has expired.',
    remedy: 'Check the spelling and the dates of the code.',
  },
  REWARD_UNAVAILABLE: {
    status: 409,
    title: 'Not available now',
    meaning: 'There is no daily reward, members cannot give points to each other, or the offer has expired.',
    remedy: 'Turn it on under Rewards or in the settings, or start a new offer.',
  },
  DISCORD_ROLE_UNFIT: {
    status: 409,
    title: 'Role not usable',
    meaning:
      'Castellan cannot give this Discord role, or it gives the role, so the role cannot have permissions.',
    remedy: 'Change the role in Discord, or choose another one.',
  },
  DISCORD_NOT_LINKED: {
    status: 409,
    title: 'Discord account not linked',
    meaning:
      'No player is linked to this Discord account, so it has no wallet and cannot receive deliveries.',
    remedy: 'Link a player with `/link` in Discord.',
  },
  RECEIVER_NOT_LINKED: {
    status: 409,
    title: 'Recipient not linked',
    meaning: 'No player is linked to the recipient’s Discord account. Nothing was charged.',
    remedy: 'Ask the recipient to link a player with `/link` in Discord first.',
  },
  PRODUCT_INVALID: {
    status: 422,
    title: 'Product not valid',
    meaning: 'The game cannot deliver a part of the product, or its servers run another game.',
    remedy: 'Fix the named part.',
  },
  PICTURE_INVALID: {
    status: 422,
    title: 'Picture not accepted',
    meaning: 'The file is not a PNG, JPEG or WebP picture, is damaged, or is too large.',
    remedy:
      'Use a smaller PNG, JPEG or WebP: for a product at most 512 KiB and 2,048 pixels a side, for the logo 256 KiB and 512 pixels.',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 409,
    title: 'Key used for another order',
    meaning:
      'This Idempotency-Key was already used for an order with another body, or the shop sent an event with the same id and other content.',
    remedy:
      'Use a new key for each order and a new id for each event. Repeat a request with the same body only.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    title: 'Idempotency-Key not valid',
    meaning: 'The header is empty, longer than 200 characters, or not printable ASCII.',
    remedy: 'Send a random key, such as a UUID.',
  },
  DELIVERY_STATE: {
    status: 409,
    title: 'Not possible for this delivery',
    meaning: 'The delivery was already completed, sent or refunded. Nothing was changed.',
    remedy: 'Check its current state. Unconfirmed deliveries are decided at the desk.',
  },
  JOB_STATE: {
    status: 409,
    title: 'Not possible for this job',
    meaning:
      'Only waiting or failed jobs can be cancelled or retried, and refunded deliveries cannot be retried.',
    remedy: 'Check its current state.',
  },
} as const satisfies Record<string, ProblemEntry>;
