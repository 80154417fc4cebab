import type { BotCommand } from './command.ts';
import { described, named } from './language.ts';
import { act, completeWhom, playerOptions, reasonOption } from './moderation.ts';

export const banCommand: BotCommand = {
  definition: {
    ...named('ban', 'banir'),
    ...described('Ban a player from a server', 'Bana um jogador de um servidor'),
    options: [...playerOptions, reasonOption],
  },
  isPrivate: true,
  run: (asked) => act(asked, 'ban', asked.options.getString('reason') ?? ''),
  complete: completeWhom,
};
