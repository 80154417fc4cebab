import type { BotCommand } from './command.ts';
import { described, named } from './language.ts';
import { act, completeWhom, playerOptions } from './moderation.ts';

export const unbanCommand: BotCommand = {
  definition: {
    ...named('unban', 'desbanir'),
    ...described('Let a banned player come back', 'Permita que um jogador banido volte'),
    options: playerOptions,
  },
  isPrivate: true,
  run: (asked) => act(asked, 'unban'),
  complete: completeWhom,
};
