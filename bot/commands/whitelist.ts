import { ApplicationCommandOptionType } from 'discord.js';
import { games } from '#contracts/games.ts';
import type { BotCommand } from './command.ts';
import { described, named } from './language.ts';
import { act, completeWhom, playerOptions } from './moderation.ts';
import { completeServers } from './servers.ts';

export const whitelistCommand: BotCommand = {
  definition: {
    ...named('whitelist', 'whitelist'),
    ...described(
      'Put a player on the whitelist of a server, or take one off',
      'Coloque um jogador na whitelist ou tire-o',
    ),
    options: [
      {
        type: ApplicationCommandOptionType.String,
        ...named('change', 'mudanca'),
        ...described('On or off', 'Colocar ou tirar'),
        required: true,
        choices: [
          { name: 'add', name_localizations: { 'pt-BR': 'colocar' }, value: 'whitelist-add' },
          { name: 'remove', name_localizations: { 'pt-BR': 'tirar' }, value: 'whitelist-remove' },
        ],
      },
      ...playerOptions,
    ],
  },
  isPrivate: true,
  run: (asked) =>
    act(
      asked,
      asked.options.getString('change', true) === 'whitelist-add' ? 'whitelist-add' : 'whitelist-remove',
    ),
  complete: (asked) =>
    asked.focused.name === 'server'
      ? completeServers(asked, ({ game }) => games[game].hasWhitelist)
      : completeWhom(asked),
};
