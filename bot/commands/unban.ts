import type { BotCommand } from './command.ts';
import { described, named } from './language.ts';
import { act, completeWhom, playerOptions } from './moderation.ts';

export const unbanCommand: BotCommand = {
  definition: {
    ...named('unban', 'desbanir'),
    ...described('Unban a player', 'Desbana um jogador'),
    options: playerOptions,
  },
  isPrivate: true,
  run: (asked) => act(asked, 'unban'),
  complete: completeWhom,
};
