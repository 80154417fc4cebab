import { reasons } from '#contracts/kernel/reasons.ts';
import { amountFault, renderCommand } from '../command-text.ts';
import type { ActionForms } from '../game.ts';
import { readReply } from '../reply-reading.ts';
import { survivorIdFor } from './ids.ts';
import { longestCommandBytes } from './limits.ts';

/** Administrators split larger orders: how the game handles a larger one is documented nowhere, and its reply does not say. */
export const mostAtOnce = 100;
const highestQuality = 100;

const itemNumber = /^[1-9]\d{0,4}$/;
/** A path of the game or of a mod, alone or as the game's own tools copy it: in `Blueprint'…'`, with or without quotes around it. */
const blueprint =
  /^(?<quote>"?)(?:Blueprint'(?<wrapped>\/[\w./-]{1,300})'|(?<bare>\/[\w./-]{1,300}))\k<quote>$/;

const itemCommand = (player: string, item: string): string | null => {
  if (itemNumber.test(item)) return `GiveItemNumToPlayer ${player} ${item}`;
  const { wrapped, bare } = blueprint.exec(item)?.groups ?? {};
  const path = wrapped ?? bare;
  return path === undefined ? null : `GiveItemToPlayer ${player} "Blueprint'${path}'"`;
};

const qualityFault = (quality: number): string | null =>
  Number.isInteger(quality) && quality >= 0 && quality <= highestQuality
    ? null
    : reasons['quality-range'](0, highestQuality);

/** Null, or why this is not an item; whether the game knows it cannot be found out. */
export const itemFault = (item: string, quality = 0): string | null =>
  qualityFault(quality) ?? (itemCommand('1', item) === null ? reasons['ark-item-shape'] : null);

export const give: ActionForms<'give'> = {
  render: ({ player, item, quantity, quality = 0 }) => {
    const who = survivorIdFor(player);
    if ('refused' in who) return who;
    const fault = amountFault(quantity, mostAtOnce) ?? qualityFault(quality);
    if (fault !== null) return { refused: fault };
    const start = itemCommand(who.id, item);
    if (start === null) return { refused: reasons['ark-item-shape'] };
    // The last argument: the item itself, not its blueprint.
    return renderCommand(`${start} ${quantity} ${quality} 0`, longestCommandBytes);
  },
  // ARK's answer is the same for a gift, for one without a recipient and, in Ascended, for a command that does not exist.
  read: (reply) => readReply(reply, { proofs: [], refusals: [] }),
};
