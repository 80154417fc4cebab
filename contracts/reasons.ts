import * as z from 'zod';
import { storefrontReasons } from './storefront-reasons.ts';

type Value = string | number;

/**
 * Why something in the store is as it is, in the API's words. Each sentence has a code, and its values, so that clients can
 * word it in their reader's language; what has no code here was said by a game or by a person.
 */
export const reasons = {
  'player-away': 'The player is on none of the servers where it can be given.',
  'server-away': 'The server, or its Game Agent, is away.',
  'survivor-number': "The number of the player's survivor on this server is not known.",
  'survivor-number-why': (why: Value) => `The number of the player's survivor was not found: ${why}`,
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

  'lasting-counter-command': 'What lasts needs a command that takes it back at its end.',
  'lasting-key-twice': 'Another line of this product has the same name of what lasts.',
  'taking-lost': 'No one can tell whether the game took the command.',
  'taking-refused': 'The game refused the command each time.',
  'taking-impossible': 'The command cannot be made any more: what is known of the player was erased.',
  'taking-archived': 'Its server is in the archive.',
  'taking-waits':
    'It is not taken back in the game yet: the server is away, or the game has not taken the command.',

  'role-no-account': 'The receiver has not linked a Discord account.',
  'role-not-on-server': 'The receiver is not on the Discord server.',
  'role-bot-away': 'The Discord bot is away.',
  'role-members-unlisted': 'The Discord bot has not told of all members of the Discord server yet.',
  'role-permission-missing': 'The bot lacks the permission "Manage Roles" on the Discord server.',
  'role-unknown': 'The Discord server has no such role.',
  'role-everyone': 'Everyone on the Discord server has this role.',
  'role-managed': 'Discord manages this role itself: it belongs to a bot, an integration or the boosters.',
  'role-dangerous':
    'This role may manage the Discord server or its members, so it is never given automatically.',
  'role-above-bot':
    "This role is not below the bot's own highest role, so Discord does not let the bot give it.",
  'role-has-rights': 'This role gives rights in Castellan, so it is never given automatically.',
  'role-is-given':
    'This role is given by a rule or sold in the store, so it can give no rights: they could be bought.',
  'role-refused': 'Discord refused to change the role.',

  'no-such-product': 'There is no such product.',
  'lasting-not-again': 'It gives something that lasts, which a new season does not give again.',
  'piece-too-large': 'One piece of it is more than an order may hold.',
  'member-erased': 'The member was erased.',
  'step-failed': 'It failed and is tried again.',
  archived: 'It is in the archive.',
  disabled: 'It is not enabled.',
  'no-server': 'No server is in use where it could be given.',
  'receiver-unseen': 'The receiver has no player yet.',
  'survivor-number-first':
    "ARK gives items by the survivor's own number (the player id that the game shows to administrators), not by the Steam or EOS id. It is not known for this player.",
  'game-id-first': "7 Days to Die needs the player's entity id or platform id, which is not known.",
  'name-first': 'Minecraft needs the name of the player, which is not known.',

  'text-not-plain': 'It holds characters that are not text.',
  'command-too-long': (bytes: Value, most: Value) =>
    `It is too long: ${bytes} bytes of at most ${most} that the game takes.`,
  'amount-range': (most: Value) => `The amount must be a whole number from 1 to ${most}.`,
  'quality-range': (least: Value, most: Value) =>
    `The quality must be a whole number from ${least} to ${most}.`,
  'minecraft-no-quality': 'Minecraft items have no quality.',
  'minecraft-item-shape': 'Minecraft items look like minecraft:iron_ingot.',
  'minecraft-item-data': 'What follows the item must be [components] or {data}, complete.',
  'item-too-long': (most: Value) => `The item is longer than ${most} characters.`,
  'ark-item-shape': "ARK items are a number or a path such as Blueprint'/Game/…/PrimalItem_X.PrimalItem_X'.",
  'seven-days-item-shape': 'Items look like gunHandgunT1Pistol: one word, no spaces.',
  'no-give-command': 'This game has no command that gives.',

  'minecraft-name-shape': 'This is not the name of a Minecraft player.',
  'minecraft-uuid-shape': 'This is no UUID of a Minecraft player.',
  'ark-name-like-id': "The player's name looks like an id; use {platformId}.",
  'ark-id-shape': 'This is no id of an ARK player.',
  'ark-platform-id-first': "ARK needs the player's Steam or EOS id, which is not known.",
  'ark-platform-id-shape': 'This is neither a Steam id nor an EOS id.',
  'seven-days-name-unusable':
    'The console cannot be given this name; the entity id or platform id is needed.',
  'seven-days-name-like-id': 'This name looks like an id; the entity id or platform id is needed.',
  'seven-days-platform-id-first': "7 Days to Die needs the player's platform id, which is not known.",

  'template-without-command': 'A template begins with a command, not with a value.',
  'placeholder-unknown': (name: Value) => `A template knows no {${name}}.`,
  'placeholder-missing': (name: Value) => `The template needs {${name}}, which is not known.`,
  'quantity-shape': 'The quantity must be a whole positive number.',
  'order-id-shape': 'This is no id of an order.',
  'survivor-number-shape': 'This is no number of a survivor.',
  'name-unsafe': "The player's name holds characters that the console could misread; use {platformId}.",
  'name-within-word':
    "The player's name has spaces and stands within a word of the template; set a space around it.",

  'line-invalid': (line: Value, why: Value) => `Line ${line} cannot be given: ${why}`,
  'line-fault': (line: Value, why: Value) => `Line ${line}: ${why}`,
  'item-unconfirmed':
    'The game never says that an item is missing. Order it as a test, look for it in the game, and confirm that it arrived.',
  'item-unknown': 'The item is in no list; the game may not know it.',
  'item-listed': 'The item is in the list already.',
  'sale-backwards': 'The sale ends before it begins.',
  'price-backwards': (place: Value) => `Price ${place} of the schedule ends before it begins.`,
  'price-overlap': (place: Value, other: Value) => `Prices ${place} and ${other} of the schedule overlap.`,
  'bundle-mixed': 'A bundle holds products and nothing else.',
  'bundle-servers': 'A bundle cannot name servers: each product in it is given on its own.',
  'bundle-repeats': 'The bundle holds this product already.',
  'bundle-part-game': 'The product is of another game than the bundle.',
  'bundle-part-bundle': 'The product is a bundle, and a bundle cannot hold another one.',
  'bundle-holds-this': (name: Value) =>
    `The bundle “${name}” holds this product, so it cannot become a bundle or change its game.`,
  'bundle-part-unfit': (name: Value, why: Value) => `It holds “${name}”, which cannot be given: ${why}`,
  'bundle-part-stopped': (name: Value, why: Value) =>
    `It holds “${name}”, which stopped selling by itself: ${why}`,
  'bundle-part-unconfirmed': (name: Value) =>
    `It holds “${name}”, which has an item that no one has seen arrive: place a test order of it first.`,
  'short-code-taken': (code: Value) => `Another product has the short code ${code}.`,
  'server-unfit': (place: Value) => `Server ${place} of the list is not in use, or is of another game.`,
  'cluster-unfit': (place: Value) => `Cluster ${place} of the list has no server of this game in use.`,
  'stopped-selling': (why: Value) => `It stopped selling by itself: ${why}`,
  'import-not-text': 'The file is not UTF-8 text.',
  'import-not-json': 'This is not valid JSON here.',
  'import-name-twice': 'This name appears twice in the same object.',
  'import-too-deep': 'This is nested too deeply.',
  'import-format': (format: Value) => `This is not a catalogue file: its format must be “${format}”.`,
  'import-version': (version: Value) =>
    `This file is of another version: Castellan reads version ${version} here.`,
  'import-list': 'A list of products is expected here.',
  'import-too-many': (count: Value, most: Value) =>
    `The file holds ${count} products, and at most ${most} are taken.`,
  'import-field-unknown': 'Castellan does not know this field.',
  'import-value': (why: Value) => `This value does not fit: ${why}`,
  'import-id-twice': 'This id stands twice in the file.',
  'import-no-server': (name: Value) => `No server “${name}” of this game is in use.`,
  'import-no-cluster': (name: Value) => `No cluster “${name}” with a server of this game is in use.`,
  'no-such-member': 'There is no such member.',

  'cancelled-by': (name: Value) => `Cancelled by ${name}.`,
  'cancelled-by-operator': 'Cancelled by an operator.',
  'no-such-delivery': 'There is no such delivery.',
  'under-way': 'It is being sent.',
  'restored-uncertain':
    'The database was restored, and it may have been sent since that backup; it waits at the desk now.',
  'restored-away':
    'The database was restored, and the game, which keeps a record of it, cannot be asked now; try again.',
  'not-at-desk': 'It is not at the desk any more.',
  'record-away': 'The game keeps a record of it and cannot be asked now; decide when it answers again.',
  'has-arrived': 'The game says that it has arrived; it is settled now.',
  'was-refunded': 'It was refunded before.',
  'refunded-not-sent': 'It was refunded; it is not sent again.',
  'was-not-refunded': 'It was not refunded.',
  'too-few-points': 'The member has too few points now.',

  'mods-too-many': (count: Value, most: Value) =>
    `The server would have ${count} mods, and at most ${most} are possible.`,
  'mods-no-space': (needed: Value, free: Value) =>
    `The change needs ${needed}, and the disk has ${free} free.`,
  'mods-too-large': 'The change is too large to do at once; do it in parts.',
  'mods-adopt-file': 'Only a file can be adopted, not a folder.',
  'mods-contradict': 'What it needs contradicts itself.',
  'mods-needs-unknown': (source: Value) =>
    `What the installed mods need could not be looked up at ${source}.`,
  'mods-updates-unknown': (source: Value) => `Updates could not be looked up at ${source}.`,
  'mods-unproven': 'The Game Agent reports success, but has not proven which mods the server has now.',
  'mods-lost': 'The Game Agent no longer knows about this change.',
  'mods-archived': 'The game server was archived.',
  'mods-not-begun': (hours: Value) => `It could not be begun within ${hours} hours.`,
  'mods-right-lost': (name: Value) => `${name} may not change the mods of this server any more.`,
  'mods-proof-lost': 'What the first server has proven is no longer known.',
  'mods-set-changed': 'The set was changed or deleted meanwhile.',
  'mods-not-running': 'It has the new mods, but the game was not running, so they are not proven.',
  'mods-blocked': 'It could not be begun.',
  'mods-blocked-by': (mods: Value) => `It could not be begun because of ${mods}.`,
  'mods-change-cancelled': 'Its change was cancelled.',
  'mods-not-started': 'The game did not start with the new mods.',
  'mods-other-failed': 'Another server failed before it.',
  'mods-rest-cancelled': 'The updates were cancelled.',

  ...storefrontReasons,
} as const;
export type ReasonCode = keyof typeof reasons;

/** What a sentence says, so that others can word it: null where a game or a person said it. */
export const codedReason = z
  .object({
    code: z.enum(Object.keys(reasons) as [ReasonCode, ...ReasonCode[]]),
    /** What the sentence names, in its order; one may be a sentence with a code of its own. */
    values: z.array(z.string()),
  })
  .nullable();
export type CodedReason = z.infer<typeof codedReason>;

const gap = '\0';

/** A sentence with values, as an expression that finds them. */
const shapeOf = (sentence: (...values: string[]) => string): RegExp => {
  const parts = sentence(...Array.from({ length: sentence.length }, () => gap)).split(gap);
  const literal = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(`^${literal.join('([\\s\\S]+?)')}$`);
};

const codes = new Map<string, ReasonCode>();
const shapes: { readonly code: ReasonCode; readonly shape: RegExp }[] = [];
for (const code of Object.keys(reasons) as ReasonCode[]) {
  const sentence = reasons[code];
  if (typeof sentence === 'string') codes.set(sentence, code);
  else shapes.push({ code, shape: shapeOf(sentence) });
}

/** The code of what the API said, read from its text, so that rows need no second column. */
export const reasonOf = (said: string | null): CodedReason => {
  if (said === null) return null;
  const whole = codes.get(said);
  if (whole !== undefined) return { code: whole, values: [] };
  for (const { code, shape } of shapes) {
    const found = shape.exec(said);
    if (found) return { code, values: found.slice(1) };
  }
  return null;
};

/** The code of what the API said, also where the store has put the product's name before it. */
export const reasonWithin = (
  said: string,
): {
  /** Empty: none. */
  readonly name: string;
  /** What was said, without the name. */
  readonly text: string;
  readonly reason: CodedReason;
} => {
  const whole = { name: '', text: said, reason: reasonOf(said) };
  if (whole.reason) return whole;
  for (let at = said.indexOf(': '); at !== -1; at = said.indexOf(': ', at + 1)) {
    const text = said.slice(at + 2);
    const reason = reasonOf(text);
    if (reason) return { name: said.slice(0, at), text, reason };
  }
  return whole;
};
