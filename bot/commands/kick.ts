import type { BotCommand } from './command.ts';
import { described, named } from './language.ts';
import { act, completeWhom, playerOptions, reasonOption } from './moderation.ts';

export const kickCommand: BotCommand = {
  definition: {
    ...named('kick', 'expulsar'),
    ...described('Kick a player from a server', 'Expulse um jogador de um servidor'),
    options: [...playerOptions, reasonOption],
  },
  isPrivate: true,
  run: (asked) => act(asked, 'kick', asked.options.getString('reason') ?? ''),
  complete: completeWhom,
};
