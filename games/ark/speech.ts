import { asOneLine, renderCommand } from '../command-text.ts';
import type { ActionForms } from '../game.ts';
import { readReply } from '../reply-reading.ts';
import { commandIdFor } from './ids.ts';
import { longestCommandBytes } from './limits.ts';

/** The engine's console treats `|` as the end of a command; whether RCON does too is documented nowhere. */
const spokenText = (text: string): string => asOneLine(text).replaceAll('"', "'").replaceAll('|', '¦');

/** The game accepts it without reporting success. */
const toAll = (command: string): ActionForms<'broadcast' | 'say'> => ({
  render: ({ message }) => {
    const text = spokenText(message);
    if (text === '') return { refused: 'The message is empty.' };
    return renderCommand(`${command} ${text}`, longestCommandBytes);
  },
  read: (reply) => readReply(reply, { proofs: [], refusals: [] }),
});
/** Shown across the middle of every screen. */
export const broadcast = toAll('Broadcast');
/** Shown in the chat. */
export const say = toAll('ServerChat');

/** By id: a message by name goes to any player with that name. */
export const message: ActionForms<'message'> = {
  render: ({ player, message }) => {
    const who = commandIdFor(player);
    if ('refused' in who) return who;
    const text = spokenText(message);
    if (text === '') return { refused: 'The message is empty.' };
    return renderCommand(`ServerChatTo "${who.id}" ${text}`, longestCommandBytes);
  },
  read: (reply) => readReply(reply, { proofs: [], refusals: [] }),
};

export const save: ActionForms<'save'> = {
  render: () => renderCommand('SaveWorld', longestCommandBytes),
  read: (reply) =>
    readReply(reply, {
      proofs: [
        {
          sign: /World Saved/gi,
          proves: (line) => /^World Saved\.?$/i.test(line),
          reason: 'The game says that it saved.',
        },
      ],
      refusals: [],
    }),
};
