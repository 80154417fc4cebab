import * as z from 'zod';
import { healthReasons } from '../operations/health-reasons.ts';
import { storefrontReasons } from '../storefronts/storefront-reasons.ts';
import { consoleReasons } from './console-reasons.ts';
import { outsideReasons } from './outside-reasons.ts';

type Value = string | number;

/**
 * Why something in the store is as it is, in the API's words. Each sentence has a code and values, so that clients can
 * phrase it in the reader's language; text without a code here comes from a game or a person.
 */
export const reasons = {
  'player-away': 'The player is not on a server where it can be delivered.',
  'server-away': 'The server or its Game Agent is offline.',
  'survivor-number': 'The player’s survivor number on this server is unknown.',
  'survivor-number-why': (why: Value) => `The player’s survivor number was not found: ${why}`,
  'player-unlisted': 'The game no longer lists the player.',
  'game-silent': 'The game is not responding.',
  lost: 'It may or may not have arrived.',
  refused: 'The game rejected it.',
  expired: 'It expired before it could be delivered.',
  restored: 'The database was restored; it may have been sent since that backup.',
  'refunded-by-decision': 'Refunded by decision.',
  'refunded-with-order': 'Refunded with its order.',

  gave: 'The game confirmed that it gave the items.',
  dropped: 'The game confirmed that it dropped the items at the player’s feet.',
  'player-absent': 'The player is not on the server.',
  'no-such-item': 'The game does not know this item.',
  'item-data-unknown': 'The item has data that the game does not know.',
  'item-data-unreadable': 'The item has data that the game cannot read.',
  'too-many-at-once': 'The game does not give that many at once.',
  'amount-refused': 'The game does not accept this quantity.',
  'amount-or-quality-refused': 'The game does not accept this quantity or quality.',
  'command-unknown': 'The game does not know this command.',
  'command-misread': 'The game does not understand this command.',
  'id-kind-unknown': 'The game does not accept this kind of ID.',
  'name-ambiguous': 'Several players in the game have this name.',
  'guard-unknown': 'The game does not know the commands that prevent a second delivery.',
  'guard-silent':
    'The game gave nothing this time: it was given before, it was withdrawn, or the player is offline.',
  'answer-empty': 'The game sent an empty reply, which proves nothing.',
  'answer-too-long': 'The game’s reply is longer than this command allows.',
  'answer-uncertain': 'The game replied, but perhaps not to this command.',
  'answer-unknown': 'The game’s reply says neither success nor failure.',
  'reply-empty':
    'The game answered nothing. A plug-in that works later, such as LuckPerms, answers only in the log, which counts where a Game Agent reads it and the command names the player.',
  'reply-success': 'The reply matches one that confirms success.',
  'reply-failure': 'The reply matches one that means failure.',
  'reply-both': 'The reply matches both success and failure.',
  'reply-failure-by-name': 'The reply means failure only because of the player’s name.',
  'reply-unnamed': 'The product has no reply that confirms success.',
  'reply-unknown': 'The reply matches none of the product’s replies.',

  'lasting-counter-command': 'A timed purchase needs a removal command.',
  'lasting-key-twice': 'Another part of this product has the same shared name.',
  'taking-lost': 'It is unclear whether the game received the command.',
  'taking-refused': 'The game rejected the command every time.',
  'taking-impossible': 'The command cannot be built anymore, because the player’s data was erased.',
  'taking-archived': 'Its server is archived.',
  'taking-waits':
    'Not removed from the game yet: the server is offline, or the game has not accepted the command.',

  'role-no-account': 'The recipient has not linked a Discord account.',
  'role-rules-first': 'The recipient has not accepted the rules of the Discord server yet.',
  'role-not-on-server': 'The recipient has not joined the Discord server.',
  'role-bot-away': 'The Discord bot is offline.',
  'role-guild-unavailable': 'Discord has trouble with the Discord server.',
  'role-members-unlisted': 'The Discord bot is still loading the members of the Discord server.',
  'role-permission-missing': 'The bot is missing the permission “Manage Roles” on the Discord server.',
  'role-unknown': 'This role does not exist on the Discord server.',
  'role-everyone': 'Everyone on the Discord server has this role.',
  'role-managed': 'Discord manages this role: it belongs to a bot, an integration or server boosters.',
  'role-dangerous':
    'This role can manage the Discord server or its members, so it is never given automatically.',
  'role-above-bot': 'This role is not below the bot’s highest role, so Discord does not let the bot give it.',
  'role-has-rights': 'This role has permissions in Castellan, so it is never given automatically.',
  'role-is-given':
    'This role is given by a rule or sold in the store, so it cannot have permissions: they could be bought.',
  'role-refused': 'Discord rejected the role change.',

  'no-such-product': 'This product does not exist.',
  'lasting-not-again': 'A new season does not restore timed purchases.',
  'piece-too-large': 'One unit of it exceeds the limit of an order.',
  'member-erased': 'The member was erased.',
  'step-failed': 'It failed and will be tried again.',
  archived: 'It is archived.',
  disabled: 'It is turned off.',
  'no-server': 'No active server can deliver it.',
  'receiver-unseen': 'The recipient has no player yet.',
  'receiver-unseen-in': (game: Value) => `The recipient has not been seen in ${game} yet.`,
  'survivor-number-first':
    'ARK delivers items by survivor number (the player ID that the game shows to administrators), not by Steam or EOS ID. This player’s is unknown.',
  'game-id-first': '7 Days to Die needs the player’s entity ID or platform ID, which is unknown.',
  'name-first': 'Minecraft needs the player’s name, which is unknown.',

  'text-not-plain': 'It contains characters that are not text.',
  'command-too-long': (bytes: Value, most: Value) =>
    `It is too long: ${bytes} bytes; the game accepts at most ${most}.`,
  'amount-range': (most: Value) => `The quantity must be a whole number from 1 to ${most}.`,
  'quality-range': (least: Value, most: Value) =>
    `The quality must be a whole number from ${least} to ${most}.`,
  'minecraft-no-quality': 'Minecraft items have no quality.',
  'minecraft-item-shape': 'Minecraft items look like minecraft:iron_ingot.',
  'minecraft-item-data': 'After the item, only complete [components] or {data} can follow.',
  'item-too-long': (most: Value) => `The item is longer than ${most} characters.`,
  'ark-item-shape': "ARK items are a number or a path such as Blueprint'/Game/…/PrimalItem_X.PrimalItem_X'.",
  'seven-days-item-shape': 'Items look like gunHandgunT1Pistol: one word, no spaces.',
  'no-give-command': 'This game has no command that gives items.',

  'bedrock-whitelist': (command: Value) =>
    `Minecraft knows no Bedrock player of this name. With Floodgate, run in the console: ${command}`,
  'bedrock-ban':
    'Minecraft’s ban list finds a Bedrock player only for some days after they played, and no name with spaces. Ban while the player is there, or use a plug-in for bans.',
  'bedrock-unban':
    'Minecraft’s ban list finds a Bedrock player only for some days after they played, and no name with spaces. To lift the ban, stop the server and remove the entry from banned-players.json.',
  'minecraft-name-shape': 'This is not a Minecraft player name.',
  'minecraft-uuid-shape': 'This is not the UUID of a Minecraft player.',
  'ark-name-like-id': 'The player’s name looks like an ID. Use {platformId}.',
  'ark-id-shape': 'This is not the ID of an ARK player.',
  'ark-platform-id-first': 'ARK needs the player’s Steam or EOS ID, which is unknown.',
  'ark-platform-id-shape': 'This is neither a Steam ID nor an EOS ID.',
  'seven-days-name-unusable':
    'The console does not accept this name. The entity ID or platform ID is needed.',
  'seven-days-name-like-id': 'This name looks like an ID. The entity ID or platform ID is needed.',
  'seven-days-platform-id-first': '7 Days to Die needs the player’s platform ID, which is unknown.',
  'palworld-id-first': 'Palworld needs the player’s user ID, such as steam_7656…, which is unknown.',

  'template-without-command': 'Start with a command, not with a placeholder.',
  'placeholder-unknown': (name: Value) => `The placeholder {${name}} does not exist.`,
  'placeholder-missing': (name: Value) => `The command needs {${name}}, which is unknown.`,
  'quantity-shape': 'The quantity must be a positive whole number.',
  'order-id-shape': 'This is not an order number.',
  'survivor-number-shape': 'This is not a survivor number.',
  'name-unsafe': 'The console could misread characters in the player’s name. Use {platformId}.',
  'name-within-word':
    'The player’s name has spaces and is inside a word of the command. Put spaces around it.',

  'line-invalid': (line: Value, why: Value) => `Part ${line} cannot be delivered: ${why}`,
  'line-fault': (line: Value, why: Value) => `Part ${line}: ${why}`,
  'item-unconfirmed':
    'The game does not report missing items. Place a test order, check in the game, and confirm that the item arrived.',
  'item-unknown': 'The item is not in the list, so the game may not know it.',
  'item-listed': 'The item is already in the list.',
  'sale-backwards': 'The sale ends before it starts.',
  'price-backwards': (place: Value) => `Price ${place} of the schedule ends before it starts.`,
  'price-overlap': (place: Value, other: Value) => `Prices ${place} and ${other} of the schedule overlap.`,
  'bundle-mixed': 'A bundle can only contain products.',
  'bundle-servers': 'A bundle cannot have servers: each product in it is delivered on its own.',
  'bundle-repeats': 'The bundle already contains this product.',
  'bundle-part-game': 'The product is for another game than the bundle.',
  'bundle-part-bundle': 'The product is a bundle, and bundles cannot contain bundles.',
  'bundle-holds-this': (name: Value) =>
    `The bundle “${name}” contains this product, so it cannot become a bundle or change its game.`,
  'bundle-part-unfit': (name: Value, why: Value) =>
    `It contains “${name}”, which cannot be delivered: ${why}`,
  'bundle-part-stopped': (name: Value, why: Value) =>
    `It contains “${name}”, which was paused automatically: ${why}`,
  'bundle-part-unconfirmed': (name: Value) =>
    `It contains “${name}”, which has an unconfirmed item: place a test order of it first.`,
  'bundle-part-approval-ended': (name: Value) =>
    `It contains “${name}”, whose commands need to be approved again.`,
  'command-right':
    'Its commands run on the console: writing or approving them needs the permission console.write on every server of the product.',
  'command-unapproved': 'No one has approved this command yet.',
  'command-approval-ended':
    'The person who approved this command can no longer use the console there. Someone else needs to approve it.',
  'short-code-taken': (code: Value) => `Another product has the short code ${code}.`,
  'server-unfit': (place: Value) => `Server ${place} of the list is archived or belongs to another game.`,
  'cluster-unfit': (place: Value) => `Cluster ${place} of the list has no active server of this game.`,
  'stopped-selling': (why: Value) => `Paused automatically: ${why}`,
  'import-not-text': 'The file is not UTF-8 text.',
  'import-not-json': 'This is not valid JSON.',
  'import-name-twice': 'This name appears twice in the same object.',
  'import-too-deep': 'This is nested too deeply.',
  'import-format': (format: Value) => `This is not a product file: its format must be “${format}”.`,
  'import-version': (version: Value) =>
    `This file has another version. Castellan accepts version ${version}.`,
  'import-list': 'A list of products belongs here.',
  'import-too-many': (count: Value, most: Value) => `The file has ${count} products; the limit is ${most}.`,
  'import-field-unknown': 'This field does not exist.',
  'import-value': (why: Value) => `This value is not valid: ${why}`,
  'import-id-twice': 'This ID appears twice in the file.',
  'import-no-server': (name: Value) => `This game has no active server “${name}”.`,
  'import-no-cluster': (name: Value) => `No cluster “${name}” has an active server of this game.`,
  'no-such-member': 'This member does not exist.',

  'cancelled-by': (name: Value) => `Cancelled by ${name}.`,
  'cancelled-by-operator': 'Cancelled from the command line.',
  'no-such-delivery': 'This delivery does not exist.',
  'under-way': 'It is being sent.',
  'restored-uncertain':
    'The database was restored, and it may have been sent since that backup. It now waits at the desk.',
  'restored-away':
    'The database was restored, and the game that keeps a record of it is not responding. Try again.',
  'not-at-desk': 'It is no longer at the desk.',
  'record-away': 'The game that keeps a record of it is not responding. Decide when it responds again.',
  'has-arrived': 'The game confirmed that it arrived, so it is resolved.',
  'was-refunded': 'It was already refunded.',
  'refunded-not-sent': 'It was refunded, so it is not sent again.',
  'was-not-refunded': 'It was not refunded.',
  'too-few-points': 'The member does not have enough points.',

  'mods-too-many': (count: Value, most: Value) =>
    `The server would have ${count} mods; the limit is ${most}.`,
  'mods-no-space': (needed: Value, free: Value) =>
    `The change needs ${needed} of disk space; ${free} are free.`,
  'mods-too-large': 'The change is too large. Split it into smaller changes.',
  'mods-adopt-file': 'Only files can be adopted, not folders.',
  'mods-left-out-players': (files: Value) => `For players only: ${files}`,
  'mods-left-out-names': (files: Value) => `Names that not every system can hold: ${files}`,
  'mods-contradict': 'Its dependencies contradict each other.',
  'mods-needs-unknown': (source: Value) =>
    `The dependencies of the installed mods could not be loaded from ${source}.`,
  'mods-updates-unknown': (source: Value) => `Updates could not be loaded from ${source}.`,
  'mods-unproven': 'The Game Agent reports success, but did not confirm which mods the server has.',
  'mods-lost': 'The Game Agent no longer knows about this change.',
  'mods-archived': 'The game server was archived.',
  'mods-not-begun': (hours: Value) => `It did not start within ${hours} hours.`,
  'restore-right-lost': (name: Value) => `${name} can no longer restore this server’s worlds.`,
  'mods-right-lost': (name: Value) => `${name} can no longer change the mods of this server.`,
  'mods-proof-lost': 'The results of the first server are no longer known.',
  'mods-set-changed': 'The set was changed or deleted in the meantime.',
  'mods-not-running': 'It has the new mods, but they are not tested, because the game was not running.',
  'mods-blocked': 'It could not start.',
  'mods-blocked-by': (mods: Value) => `It could not start because of ${mods}.`,
  'mods-change-cancelled': 'The change was cancelled.',
  'mods-not-started': 'The game did not start with the new mods.',
  'mods-other-failed': 'Another server failed first.',
  'mods-rest-cancelled': 'The remaining updates were cancelled.',

  'ban-until-past': 'The end of the ban is in the past.',
  'ban-over': 'This ban has already expired.',
  'ban-needs-everywhere': 'You need the permission players.write on all servers of the game.',
  'ban-needs-server': 'You need the permission players.write on every server of the ban.',
  'ban-games-differ': 'The servers run different games.',
  'ban-player-erased': 'The player was erased.',

  ...storefrontReasons,
  ...consoleReasons,
  ...healthReasons,
  ...outsideReasons,
} as const;
export type ReasonCode = keyof typeof reasons;

/** The code of a sentence, so that others can phrase it: null if the text comes from a game or a person. */
export const codedReason = z
  .object({
    code: z.enum(Object.keys(reasons) as [ReasonCode, ...ReasonCode[]]),
    /** The values in the sentence, in order; one may be a sentence with its own code. */
    values: z.array(z.string()),
  })
  .nullable();
export type CodedReason = z.infer<typeof codedReason>;

const gap = '\0';

/** The longest text that is analyzed; no sentence with its values comes near it, but a game's reply may be longer. */
const longestText = 4000;

/** The fixed text around the values of a sentence, from beginning to end. */
const partsOf = (sentence: (...values: string[]) => string): readonly string[] =>
  sentence(...Array.from({ length: sentence.length }, () => gap)).split(gap);

/**
 * The values between the parts, each as short as possible but never empty; null if the text has another shape. Each
 * part is searched for only once, so a hostile text costs no more than its length.
 */
const valuesBetween = (parts: readonly string[], said: string): string[] | null => {
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (!said.startsWith(first) || !said.endsWith(last)) return null;
  const end = said.length - last.length;
  const values: string[] = [];
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const next = said.indexOf(part, at + 1);
    if (next === -1 || next + part.length > end) return null;
    values.push(said.slice(at, next));
    at = next + part.length;
  }
  return at < end ? [...values, said.slice(at, end)] : null;
};

const codes = new Map<string, ReasonCode>();
const shapes: { readonly code: ReasonCode; readonly parts: readonly string[] }[] = [];
for (const code of Object.keys(reasons) as ReasonCode[]) {
  const sentence = reasons[code];
  if (typeof sentence === 'string') codes.set(sentence, code);
  else shapes.push({ code, parts: partsOf(sentence) });
}

/** The code of an API sentence, derived from its text, so that rows need no second column. */
export const reasonOf = (said: string | null): CodedReason => {
  if (said === null || said.length > longestText) return null;
  const whole = codes.get(said);
  if (whole !== undefined) return { code: whole, values: [] };
  for (const { code, parts } of shapes) {
    const values = valuesBetween(parts, said);
    if (values) return { code, values };
  }
  return null;
};

interface Sentence {
  readonly text: string;
  readonly reason: NonNullable<CodedReason>;
}

/** More than a state ever has; the time to try them grows with the square of their number. */
const mostSentences = 24;

/**
 * The sentences of a text in which several may follow one another, each with its code.
 * @returns null if some part of it has no code
 */
export const sentencesWithin = (said: string): readonly Sentence[] | null => {
  if (said.length > longestText) return null;
  const ends = [...said.matchAll(/[.?!] /g)].map(({ index }) => index + 1);
  if (ends.length >= mostSentences) return null;
  ends.push(said.length);
  /** Positions from which the rest is known to have no codes. */
  const isHopeless = new Set<number>();
  const from = (start: number): readonly Sentence[] | null => {
    if (start >= said.length) return [];
    if (isHopeless.has(start)) return null;
    for (const end of ends) {
      if (end <= start) continue;
      const text = said.slice(start, end);
      const reason = reasonOf(text);
      const rest = reason && from(end + 1);
      if (reason && rest) return [{ text, reason }, ...rest];
    }
    isHopeless.add(start);
    return null;
  };
  return from(0);
};

/** The code of an API sentence, even if the store has put the product's name before it. */
export const reasonWithin = (
  said: string,
): {
  /** Empty: none. */
  readonly name: string;
  /** The text without the name. */
  readonly text: string;
  readonly reason: CodedReason;
} => {
  const whole = { name: '', text: said, reason: reasonOf(said) };
  if (whole.reason || said.length > longestText) return whole;
  for (let at = said.indexOf(': '); at !== -1; at = said.indexOf(': ', at + 1)) {
    const text = said.slice(at + 2);
    const reason = reasonOf(text);
    if (reason) return { name: said.slice(0, at), text, reason };
  }
  return whole;
};
