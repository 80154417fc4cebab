import { reasons } from '#contracts/kernel/reasons.ts';
import { asOneLine, renderCommand } from '../command-text.ts';
import type { ActionForms, Rendered } from '../game.ts';
import { isRefusal, readAnswer } from './answers.ts';
import { userIdFor } from './ids.ts';
import { longestCommandBytes } from './limits.ts';

const command = (text: string): Rendered => renderCommand(text.trimEnd(), longestCommandBytes);

const withPlayer = (
  word: 'kick' | 'ban' | 'unban',
  player: Parameters<typeof userIdFor>[0],
  reason = '',
): Rendered => {
  const who = userIdFor(player);
  return 'refused' in who ? who : command(`${word} ${who.word} ${asOneLine(reason)}`);
};

/** Shown to all players and in the chat, in any script; the game adds who says it. */
export const broadcast: ActionForms<'broadcast' | 'say'> = {
  render({ message }) {
    const text = asOneLine(message);
    return text === '' ? { refused: 'The message is empty.' } : command(`announce ${text}`);
  },
  read: (reply) => readAnswer(reply, 'The game accepted the message.'),
};

export const save: ActionForms<'save'> = {
  render: () => command('save'),
  read: (reply) => readAnswer(reply, 'The game saved.'),
};

export const kick: ActionForms<'kick'> = {
  render: ({ player, reason }) => withPlayer('kick', player, reason),
  read: (reply) => readAnswer(reply, 'The game accepted the kick.'),
};

export const ban: ActionForms<'ban'> = {
  render: ({ player, reason }) => withPlayer('ban', player, reason),
  read: (reply) => readAnswer(reply, 'The game accepted the ban.'),
};

export const unban: ActionForms<'unban'> = {
  render: ({ player }) => withPlayer('unban', player),
  // Whether it also answers 400 for a player who is not banned is not documented.
  read: (reply) =>
    isRefusal(reply)
      ? { verdict: 'unproven', reason: reasons['answer-unknown'] }
      : readAnswer(reply, 'The game lifted the ban.'),
};

/** The game saves before it ends. Without a wait it may end before it has answered, and players would not read why. */
export const shutdown = { command: 'shutdown 5 The server is shutting down.', isTyped: false } as const;
