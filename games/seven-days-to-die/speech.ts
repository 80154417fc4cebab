import { asOneLine, renderCommand } from '../command-text.ts';
import type { ActionForms } from '../game.ts';
import { readReply } from '../reply-reading.ts';
import { presentPlayerOrName } from './ids.ts';
import { longestCommandBytes } from './limits.ts';
import { refusals } from './refusals.ts';

/** The console's quotes have no escape that every build knows. */
export const quotable = (text: string): string => asOneLine(text).replaceAll('"', "'");

/** From the game's log, which its console shows. */
const spoken =
  /^(?:\d{4}-\d\d-\d\dT[\d:]{8} \d+[.,]\d+ INF )?Chat \(from '-non-player-', entity id '-?\d+', to 'Global'\):(?: 'Server':)?$/;

/** The game does not reply; its message appears in its log. */
export const broadcast: ActionForms<'broadcast' | 'say'> = {
  render: ({ message }) => {
    const text = quotable(message);
    return text === ''
      ? { refused: 'The message is empty.' }
      : renderCommand(`say "${text}"`, longestCommandBytes);
  },
  read: (reply, { message }) =>
    readReply(reply, {
      proofs: [
        {
          sign: /Chat \(from '-non-player-'/g,
          proves: (line) => spoken.test(line),
          reason: 'The game shows the message in its chat.',
        },
      ],
      refusals,
      echo: [quotable(message)],
    }),
};

export const message: ActionForms<'message'> = {
  render: ({ player, message }) => {
    const who = presentPlayerOrName(player);
    if ('refused' in who) return who;
    const text = quotable(message);
    if (text === '') return { refused: 'The message is empty.' };
    return renderCommand(`pm ${who.word} "${text}"`, longestCommandBytes);
  },
  read: (reply, { player }) =>
    readReply(reply, {
      proofs: [
        {
          sign: /Message to player /g,
          proves: (line) => {
            const name = /^Message to player "?(.+?)"? sent with sender .+$/.exec(line)?.[1];
            return name !== undefined && (player.name === undefined || player.name === name);
          },
          reason: 'The game says that it told the player.',
        },
      ],
      refusals,
    }),
};

export const save: ActionForms<'save'> = {
  render: () => renderCommand('saveworld', longestCommandBytes),
  read: (reply) =>
    readReply(reply, {
      proofs: [
        {
          sign: /World saved/gi,
          proves: (line) => /^World saved\.?$/i.test(line),
          reason: 'The game says that it saved.',
        },
      ],
      refusals,
    }),
};
