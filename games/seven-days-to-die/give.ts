import { reasons } from '#contracts/kernel/reasons.ts';
import { amountFault, renderCommand } from '../command-text.ts';
import type { ActionForms } from '../game.ts';
import { readReply } from '../reply-reading.ts';
import { presentPlayerOrName } from './ids.ts';
import { longestCommandBytes } from './limits.ts';
import { refusals } from './refusals.ts';

/** A saved stack counts in 16 bits. */
export const mostAtOnce = 32_767;
/** The limit that the game itself checks. */
const highestQuality = 6;
/** `gunHandgunT1Pistol`; blocks have shapes: `cobblestoneShapes:cube`. */
const itemName = /^[A-Za-z0-9][\w:.+-]{0,127}$/;

/** Null, or why this is not an item; whether the game knows it cannot be found out. */
export const itemFault = (item: string, quality?: number): string | null => {
  if (quality !== undefined && !(Number.isInteger(quality) && quality >= 1 && quality <= highestQuality))
    return reasons['quality-range'](1, highestQuality);
  return itemName.test(item) ? null : reasons['seven-days-item-shape'];
};

export const give: ActionForms<'give'> = {
  render: ({ player, item, quantity, quality }) => {
    const who = presentPlayerOrName(player);
    if ('refused' in who) return who;
    const fault = amountFault(quantity, mostAtOnce) ?? itemFault(item, quality);
    if (fault !== null) return { refused: fault };
    const words = ['give', who.word, item, quantity, ...(quality === undefined ? [] : [quality])];
    return renderCommand(words.join(' '), longestCommandBytes);
  },
  read: (reply) =>
    readReply(reply, {
      proofs: [
        {
          sign: /Dropped item/g,
          proves: (line) => line === 'Dropped item',
          reason: reasons.dropped,
        },
      ],
      refusals: [
        { sign: /Item not found\./, verdict: 'failed', reason: reasons['no-such-item'] },
        {
          sign: /(?:Amount|Quality) is not an integer or not greater than zero\./,
          verdict: 'failed',
          reason: reasons['amount-or-quality-refused'],
        },
        ...refusals,
      ],
    }),
};
