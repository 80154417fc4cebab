type Value = string | number;

/** Why the store, shops, rewards and seasons refuse something: sentences of `reasons`, which gives each its code. */
export const storefrontReasons = {
  'member-was-erased': (id: Value) => `Member ${id} was erased.`,
  'member-was-merged': (id: Value, into: Value) => `Member ${id} was merged into member ${into}.`,
  'points-to-self': 'Choose another member to give points to.',
  'cursor-unknown': 'This page of the list does not exist. Start from the first page.',
  'figures-busy': 'Too many reports are loading. Try again in a moment.',

  'order-points': (total: Value, balance: Value) =>
    `The order costs ${total} points; the wallet has ${balance}.`,
  'order-price': (total: Value) => `The order now costs ${total} points.`,
  'order-stock': (left: Value) => `${left} left in stock.`,
  'order-per-member': (most: Value, has: Value) => `The limit is ${most} per member; this member has ${has}.`,
  // Before the one without a time, which its text would match, too.
  'order-per-period-until': (most: Value, days: Value, has: Value, until: Value) =>
    `The limit is ${most} per member in ${days} days; this member has ${has}, and the first one counts until ${until}.`,
  'order-per-period': (most: Value, days: Value, has: Value) =>
    `The limit is ${most} per member in ${days} days; this member has ${has}.`,
  'order-cooldown': (until: Value) => `This member can order it again at ${until}.`,
  'order-too-large': (count: Value, most: Value) =>
    `The order would make ${count} deliveries; the limit is ${most}.`,
  'order-unknown': 'This order does not exist.',
  'order-line-unknown': 'The order has no such product.',
  'order-sending': 'A delivery is being sent. Try again in a moment.',
  'order-restored-uncertain':
    'The database was restored, and a delivery may have been sent since that backup. It now waits at the desk.',
  'order-record-away':
    'A delivery may have been sent, and the game that keeps a record of it is not responding. Try again.',
  'order-unsettled': 'A delivery was sent, and it is not clear yet whether it arrived. Try again later.',
  'test-order-forbidden': 'You need the permission store.write to place a test order.',
  'sale-not-begun': (at: Value) => `The sale starts at ${at}.`,
  'sale-over': (at: Value) => `The sale ended at ${at}.`,
  'delivery-failed': 'A delivery failed.',
  'line-unknown': 'This part does not exist.',
  'answer-proves-nothing': 'The game’s reply proves nothing.',

  'discount-code-unknown': 'No discount has this code.',
  'discount-code-not-yet': 'This code is not valid yet.',
  'discount-code-ended': 'This code has expired.',
  'discount-code-used-up': 'This code has reached its limit.',
  'discount-code-used': 'This member cannot use this code again.',
  'discount-code-role': 'This code is for members with certain Discord roles.',
  'discount-code-products': 'This code is for other products.',
  'discount-code-taken': 'Another discount already has this code.',
  'wrong-codes': 'Too many wrong codes. Try again later.',

  'category-changed': 'The products of this category changed in the meantime. Load them again.',
  'export-too-many': (count: Value, most: Value) =>
    `The store has ${count} products; an import accepts ${most}.`,
  'export-too-large': (size: Value, most: Value) =>
    `The file would have ${size} MB; an import accepts ${most}. Archive products that you no longer sell.`,
  'export-too-large-pictures': (size: Value, most: Value) =>
    `The file would have ${size} MB; an import accepts ${most}. Export without pictures, or use smaller ones.`,
  'import-has-faults': 'The file has errors, so nothing was imported.',
  'picture-unknown': 'This product does not exist or has no picture.',
  'picture-too-large': (most: Value) => `The picture is larger than ${most} KiB.`,
  'picture-too-many-pixels': (most: Value) => `The picture is wider or taller than ${most} pixels.`,
  'picture-damaged': 'The picture is damaged or incomplete.',
  'picture-kind': 'The file is not a PNG, JPEG or WebP picture.',
  'item-not-delivered': 'No test order has delivered an item with this ID.',

  'shop-secrets-full': (most: Value) => `An external shop can have ${most} secrets. Remove one first.`,
  'shop-has-orders': 'This shop has orders, which are kept. Turn it off instead.',
  'shop-order-has-receiver': 'The order is no longer waiting for a recipient.',
  'shop-order-decided': 'The order is no longer waiting for a decision.',
  'shop-order-decided-otherwise': 'The order is no longer waiting for this decision.',

  'season-wiped-later': 'The time of the wipe is in the future.',
  'season-no-server': 'None of the selected servers is active.',
  'season-busy': (name: Value) => `The season “${name}” is still in progress. Wait until it is done.`,
  'season-stale':
    'The servers, restored products or limits changed since the preview. Check the new preview, then start again.',
  'season-not-done': 'The season is not done yet, or was already undone.',
  'season-later': 'A later season has started on these servers. Undo it first.',
  'season-hindered': (members: Value) =>
    `Members who have since spent points, received something or been erased: ${members}.`,
  'season-step-done': 'This step is already done.',

  'reward-rule-changed': 'The rule changed in the meantime. Load it again.',
  'reward-rule-kind': 'The type of a rule cannot be changed.',
  'reward-codes-changed': 'The codes changed in the meantime. Load them again.',
  'reward-code-taken': 'This code already exists. Choose another one.',
  'reward-code-used': 'You have already used this code.',
  'reward-code-used-up': 'This reward code has reached its limit.',
  'reward-code-elsewhere': 'This code is for players of other servers.',
  'no-daily-reward': 'There is no daily reward right now.',
  'gifts-off': 'Members cannot give points to each other here.',
  'gift-least': (points: Value) => `Give at least ${points} points.`,
  'gift-left': (points: Value) => `Points you can still give today: ${points}.`,
  'gift-to-self': 'Choose another member for your gift.',
  'gift-expired': 'The offer has expired. Start again.',

  'lasting-waits-for-nothing': 'Nothing here is waiting for a command or a decision.',
  'lasting-over': 'It has already ended.',
} as const;
