import * as z from 'zod';

/**
 * Why something of the store stands where it does, as the API says it. Each sentence has a code, so that others can word
 * it in the language of their readers; what has no code here was said by a game or by a person.
 */
export const reasons = {
  'player-away': 'The player is on none of the servers where it can be given.',
  'server-away': 'The server, or its Game Agent, is away.',
  'survivor-number': "The number of the player's survivor on this server is not known.",
  'player-unlisted': 'The game does not list the player any more.',
  'game-silent': 'The game does not answer.',
  lost: 'No one can tell whether it arrived.',
  refused: 'The game refused it for good.',
  expired: 'It could not be delivered in time.',
  restored: 'The database was restored; it may have been sent since that backup.',
  'refunded-by-decision': 'Refunded by decision.',
  'refunded-with-order': 'Refunded with its order.',

  gave: 'The game says that it gave the items.',
  dropped: "The game says that it dropped the items at the player's feet.",
  'player-absent': 'The player is not on the server.',
  'no-such-item': 'There is no such item.',
  'item-data-unknown': 'The item has data that the game does not know.',
  'item-data-unreadable': 'The item has data that the game cannot read.',
  'too-many-at-once': 'The game does not give that many at once.',
  'amount-refused': 'The game does not take this amount.',
  'amount-or-quality-refused': 'The game does not take this amount or quality.',
  'command-unknown': 'The game does not know this command.',
  'command-misread': 'The game does not understand this command.',
  'id-kind-unknown': 'The game does not know ids of this kind.',
  'name-ambiguous': 'The game knows several players of this name.',
  'guard-unknown': 'The game does not know the commands that guard a gift.',
  'guard-silent':
    'The game gave nothing this time: it gave this before, it was withdrawn, or the player is away.',
  'answer-empty': 'The game answered nothing, which proves nothing.',
  'answer-too-long': 'The game answered more than this command ever answers.',
  'answer-uncertain': 'The game answered, but not for certain about this command.',
  'answer-unknown': 'The game answered something that is not known to mean success or failure.',
  'reply-success': 'The reply is one that the product calls a success.',
  'reply-failure': 'The reply is one that the product calls a failure.',
  'reply-both': 'The reply is one of success and one of failure.',
  'reply-failure-by-name': 'The reply is one of failure only by what the player is called.',
  'reply-unnamed': 'The product names no reply that proves success.',
  'reply-unknown': 'The game answered something that the product does not know.',

  'no-such-product': 'There is no such product.',
  archived: 'It is in the archive.',
  disabled: 'It is not enabled.',
  'no-server': 'No server is in use where it could be given.',
  'receiver-unseen': 'The receiver has no player yet.',
  'survivor-number-first':
    "ARK gives items by the survivor's own number (the player id that the game shows to administrators), not by the Steam or EOS id. It is not known for this player.",
  'game-id-first': "7 Days to Die needs the player's entity id or platform id, which is not known.",
  'name-first': 'Minecraft needs the name of the player, which is not known.',

  'not-at-desk': 'It is not at the desk any more.',
  'record-away': 'The game keeps a record of it and cannot be asked now; decide when it answers again.',
  'has-arrived': 'The game says that it has arrived; it is settled now.',
  'was-refunded': 'It was refunded before.',
  'refunded-not-sent': 'It was refunded; it is not sent again.',
  'was-not-refunded': 'It was not refunded.',
  'too-few-points': 'The member has too few points now.',
} as const;
export type ReasonCode = keyof typeof reasons;

/** Null: in words alone. */
export const reasonCode = z.enum(Object.keys(reasons) as [ReasonCode, ...ReasonCode[]]).nullable();

const codes = new Map(Object.entries(reasons).map(([code, text]) => [text as string, code as ReasonCode]));

/** The code of what the API said; null for what was said by others. */
export const reasonOf = (said: string | null): ReasonCode | null =>
  (said === null ? undefined : codes.get(said)) ?? null;
