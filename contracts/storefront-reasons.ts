type Value = string | number;

/** Why the store, shops, rewards and seasons refuse something: of `reasons`, which gives each sentence its code. */
export const storefrontReasons = {
  'member-was-erased': (id: Value) => `Member ${id} was erased.`,
  'member-was-merged': (id: Value, into: Value) => `Member ${id} was merged into member ${into}.`,
  'points-to-self': 'Points can only be given to another member.',
  'cursor-unknown': 'This cursor comes from no page of this list.',
  'figures-busy': 'Too many figures are being read; try again.',

  'order-points': (total: Value, balance: Value) =>
    `The order costs ${total} points; the wallet holds ${balance}.`,
  'order-price': (total: Value) => `The order costs ${total} points now.`,
  'order-stock': (left: Value) => `Left in stock: ${left}.`,
  'order-per-member': (most: Value, has: Value) => `A member can have ${most} in all, and has ${has}.`,
  // Before the one without a time, which its text would fit, too.
  'order-per-period-until': (most: Value, days: Value, has: Value, until: Value) =>
    `A member can have ${most} in ${days} days, and has ${has}; the first of them counts until ${until}.`,
  'order-per-period': (most: Value, days: Value, has: Value) =>
    `A member can have ${most} in ${days} days, and has ${has}.`,
  'order-cooldown': (until: Value) => `The next order of this member is possible at ${until}.`,
  'order-too-large': (count: Value, most: Value) =>
    `The order would become ${count} deliveries; at most ${most} are possible at once.`,
  'order-unknown': 'There is no such order.',
  'order-line-unknown': 'The order has no such line.',
  'order-sending': 'A delivery is being sent at this moment; try again.',
  'order-restored-uncertain':
    'The database was restored, and a delivery may have been sent since that backup; it waits at the desk now.',
  'order-record-away':
    'A delivery may have been sent, and its game, which keeps a record of it, cannot be asked now; try again.',
  'order-unsettled': 'A delivery was sent, and it is not known yet whether it arrived; try again later.',
  'test-order-forbidden': 'A test order needs the permission store.write.',
  'sale-not-begun': (at: Value) => `Its sale begins at ${at}.`,
  'sale-over': (at: Value) => `Its sale ended at ${at}.`,
  'delivery-failed': 'A delivery failed.',
  'line-unknown': 'There is no such line.',
  'answer-proves-nothing': "The game's answer proves nothing.",

  'discount-code-unknown': 'No discount has this code.',
  'discount-code-not-yet': 'This code is not valid yet.',
  'discount-code-ended': 'This code is not valid any more.',
  'discount-code-used-up': 'This code is used up.',
  'discount-code-used': 'This member cannot use this code again.',
  'discount-code-role': 'This code is for members with certain roles on the Discord server.',
  'discount-code-products': 'This code is for other products.',
  'discount-code-taken': 'Another discount has this code.',
  'wrong-codes': 'Too many wrong codes. Try again later.',

  'category-changed': 'The products of this category have changed meanwhile. Load them again.',
  'export-too-many': (count: Value, most: Value) =>
    `The store has ${count} products, and an import takes ${most}.`,
  'export-too-large': (size: Value, most: Value) =>
    `The file would have ${size} MB, and an import takes ${most}. Archive what you do not sell.`,
  'export-too-large-pictures': (size: Value, most: Value) =>
    `The file would have ${size} MB, and an import takes ${most}. Export without pictures, or make the pictures smaller.`,
  'import-has-faults': 'The file has faults, and nothing was imported.',
  'picture-unknown': 'There is no such product, or it has no picture.',
  'picture-too-large': (most: Value) => `The picture has more than ${most} KiB.`,
  'picture-too-many-pixels': (most: Value) => `The picture has more than ${most} pixels a side.`,
  'picture-damaged': 'The picture is damaged or cut off.',
  'picture-kind': 'The file is no PNG, JPEG or WebP.',
  'item-not-delivered': 'No delivered item of a test order has this id.',

  'shop-secrets-full': (most: Value) => `A shop has at most ${most} secrets: remove one first.`,
  'shop-has-orders': 'This shop has orders, which are kept. Switch it off instead.',
  'shop-order-has-receiver': 'The order does not wait for a receiver any more.',
  'shop-order-decided': 'The order does not wait for a decision any more.',
  'shop-order-decided-otherwise': 'The order does not wait for this decision any more.',

  'season-wiped-later': 'The time of the wipe lies in the future.',
  'season-no-server': 'None of the chosen servers is in use.',
  'season-busy': (name: Value) => `The season “${name}” is still being carried out; wait until it is done.`,
  'season-stale': 'Something has changed since the preview. Check the new preview, then begin again.',
  'season-not-done': 'The season is not done, or was undone already.',
  'season-later': 'A later season has begun on these servers; undo that one first.',
  'season-hindered': (members: Value) =>
    `Members who have spent points or received something since, or were erased: ${members}.`,
  'season-step-done': 'This step was carried out meanwhile.',

  'reward-rule-changed': 'The rule was changed meanwhile. Load it again.',
  'reward-rule-kind': 'The kind of a rule cannot be changed.',
  'reward-codes-changed': 'The codes were changed meanwhile. Load them again.',
  'reward-code-taken': 'This code exists already: choose another one.',
  'reward-code-used': 'You have used this code already.',
  'reward-code-used-up': 'This code has been used as often as it can be.',
  'reward-code-elsewhere': 'This code is for players of other servers.',
  'no-daily-reward': 'There is no daily reward now.',
  'gifts-off': 'Members cannot give points away here.',
  'gift-least': (points: Value) => `A gift has at least ${points} points.`,
  'gift-left': (points: Value) => `Points that can still be given away today: ${points}.`,
  'gift-to-self': 'A gift is for another member.',
  'gift-expired': 'The offer has expired. Begin again.',

  'lasting-waits-for-nothing': 'Nothing here waits for a command or for a decision.',
  'lasting-over': 'It has ended already.',
} as const;
