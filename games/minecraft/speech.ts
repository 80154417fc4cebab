import { renderCommand } from '../command-text.ts';
import type { ActionForms } from '../game.ts';
import { readReply } from '../reply-reading.ts';
import { longestCommandBytes } from './limits.ts';
import { nameFor, showsPlayer, spokenText } from './names.ts';
import { absentRefusals, deafRefusal, syntaxRefusals } from './refusals.ts';

/** A successful `say` has no reply: only a failure is certain, or success on a server that repeats the text. */
export const broadcast: ActionForms<'broadcast' | 'say'> = {
  render: ({ message }) => {
    const text = spokenText(message);
    return text === ''
      ? { refused: 'The message is empty.' }
      : renderCommand(`say ${text}`, longestCommandBytes);
  },
  read: (reply, { message }) =>
    readReply(reply, {
      proofs: [
        {
          sign: /^\[(?:Rcon|Server)\]/g,
          proves: (line) => /^\[(?:Rcon|Server)\]$/.test(line),
          reason: 'The game repeats the message.',
        },
      ],
      refusals: syntaxRefusals,
      echo: [spokenText(message)],
    }),
};

export const message: ActionForms<'message'> = {
  render: ({ player, message }) => {
    const who = nameFor(player);
    if ('refused' in who) return who;
    const text = spokenText(message);
    if (text === '') return { refused: 'The message is empty.' };
    return renderCommand(`tell ${who.word} ${text}`, longestCommandBytes);
  },
  read: (reply, { player, message }) => {
    const who = nameFor(player);
    return readReply(reply, {
      proofs: [
        {
          sign: /You whisper to /g,
          proves: (line) => {
            const shown = /^You whisper to (.+):$/.exec(line)?.[1];
            return shown !== undefined && 'name' in who && showsPlayer(shown, who.name);
          },
          reason: 'The game says that it told the player.',
        },
      ],
      refusals: [...absentRefusals, deafRefusal, ...syntaxRefusals],
      echo: [spokenText(message)],
    });
  },
};

export const save: ActionForms<'save'> = {
  render: () => renderCommand('save-all', longestCommandBytes),
  read: (reply) =>
    readReply(reply, {
      proofs: [
        {
          sign: /Saved the (?:game|world)/g,
          // Vanilla puts no line end between the two texts of one command.
          proves: (line) =>
            /^(?:Saving\.\.\.|Saving the game \(this may take a moment!\))?(?:Flushing all saves\.\.\.)?(?:Flushing completed)?Saved the (?:game|world)\.?$/.test(
              line,
            ),
          reason: 'The game says that it saved.',
        },
      ],
      refusals: [
        {
          sign: /(?:Saving\.\.\.|Saving the game \(this may take a moment!\))?(?:Flushing all saves\.\.\.)?(?:Unable to save the game|Saving failed)/,
          verdict: 'later',
          reason: 'The game could not save; the disk may be full.',
        },
        ...syntaxRefusals,
      ],
      // `flush` prints more before 1.13.
      aside:
        /^(?:Saving(?:\.\.\.| the game \(this may take a moment!\))|Flushing all saves\.\.\.|Flushing completed)$/,
    }),
};
