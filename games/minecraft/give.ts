import { reasons } from '#contracts/kernel/reasons.ts';
import { amountFault, renderCommand } from '../command-text.ts';
import type { ActionForms, GameActions } from '../game.ts';
import { type Proof, type Refusal, readReply } from '../reply-reading.ts';
import { longestCommandBytes } from './limits.ts';
import { nameFor, showsPlayer } from './names.ts';
import { absentRefusals, syntaxRefusals } from './refusals.ts';

/** In characters; an item with more data may not fit into a command. */
const longestItem = 1000;
const plainItem = /^(?:[a-z0-9_.-]+:)?[a-z0-9_./-]+/;
const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')' };

/** Null, or why this is not an item: `iron_ingot`, `minecraft:iron_ingot`, and either of them with `[components]` or `{data}`. */
const itemFault = (item: string): string | null => {
  if (item.length > longestItem) return reasons['item-too-long'](longestItem);
  const [plain] = plainItem.exec(item) ?? [];
  if (plain === undefined) return reasons['minecraft-item-shape'];
  const data = item.slice(plain.length);
  if (data === '') return null;
  return isOneBracket(data) ? null : reasons['minecraft-item-data'];
};

/** One bracketed text and nothing after it: anything after it could be another amount, or another player's argument. */
const isOneBracket = (text: string): boolean => {
  const open: string[] = [];
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
      continue;
    }
    const close = closing[character];
    if (close !== undefined) open.push(close);
    else if (open.length === 0) return false;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ']' || character === '}' || character === ')') {
      if (open.pop() !== character) return false;
      if (open.length === 0) return at === text.length - 1 && text.charAt(0) !== '(';
    }
  }
  return false;
};

/** A hundred stacks of the largest stack size: the game refuses more. */
const mostAtOnce = 6400;

const itemRefusals: readonly Refusal[] = [
  [/Unknown item '/, reasons['no-such-item']] as const,
  [/There is no such item with name /, reasons['no-such-item']] as const,
  [/(?:Error: )?Unknown item name/, reasons['no-such-item']] as const,
  [/Unknown item component/, reasons['item-data-unknown']] as const,
  [/Malformed /, reasons['item-data-unreadable']] as const,
  [/Can't give more than \d+ of /, reasons['too-many-at-once']] as const,
].map(([sign, reason]) => ({ sign, verdict: 'failed', reason }));

/** Since 1.13; before; EssentialsX. Between amount and player is the item as players see it, in any words. */
const shapes = [
  /^Gave (?<amount>\d+) .+ to (?<player>.+)$/,
  /^Given .+ \* (?<amount>\d+) to (?<player>.+)$/,
  /^Giving (?<amount>[\d,]+) of .+ to (?<player>.+)$/,
];

const proofFor = (name: string, quantity: number): Proof => ({
  sign: /Gave \d|Given .+? \* \d|Giving \d/g,
  proves: (line) =>
    shapes.some((shape) => {
      const { amount, player } = shape.exec(line)?.groups ?? {};
      if (amount === undefined || player === undefined) return false;
      // The name as well: after a lost answer, that of an earlier player would otherwise prove this delivery.
      return Number(amount.replaceAll(',', '')) === quantity && showsPlayer(player, name);
    }),
  reason: reasons.gave,
});

/** Null, or why such a gift is impossible. */
export const giftFault = (
  { item, quantity, quality }: Pick<GameActions['give'], 'item' | 'quantity' | 'quality'>,
  most: number,
): string | null =>
  quality === undefined ? (amountFault(quantity, most) ?? itemFault(item)) : reasons['minecraft-no-quality'];

export const give: ActionForms<'give'> = {
  render: ({ player, ...gift }) => {
    const who = nameFor(player);
    if ('refused' in who) return who;
    const fault = giftFault(gift, mostAtOnce);
    return fault === null
      ? renderCommand(`give ${who.word} ${gift.item} ${gift.quantity}`, longestCommandBytes)
      : { refused: fault };
  },
  read: (reply, { player, quantity }) => {
    const who = nameFor(player);
    return readReply(reply, {
      proofs: 'name' in who ? [proofFor(who.name, quantity)] : [],
      refusals: [...absentRefusals, ...itemRefusals, ...syntaxRefusals],
    });
  },
};
