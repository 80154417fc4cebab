import { ButtonStyle } from 'discord.js';
import { chatTrustDiscordHttp } from '#contracts/storefronts/chat-trust.ts';
import { type BotCommand, button, card, row, says } from './command.ts';
import { described, named, words } from './language.ts';
import { nameText } from './text.ts';

const texts = words(
  {
    none: 'None of your players is new on a server now. Join it first, then confirm.',
    isNew: (player: string, server: string) => `**${player}** is new on **${server}**.`,
    warning: 'Confirm only if you are playing there now: the server can then spend your points by its chat.',
    yes: (player: string, server: string) => `Confirm ${player} on ${server}`,
    done: 'Confirmed. You can buy and link by the chat of the game now.',
  },
  {
    none: 'Nenhum jogador seu é novo em um servidor agora. Entre nele primeiro e depois confirme.',
    isNew: (player: string, server: string) => `**${player}** é novo em **${server}**.`,
    warning: 'Confirme só se você estiver jogando lá agora: o servidor poderá gastar seus pontos pelo chat.',
    yes: (player: string, server: string) => `Confirmar ${player} em ${server}`,
    done: 'Confirmado. Agora você pode comprar e vincular pelo chat do jogo.',
  },
);

/** As many buttons as fit into one row. */
const mostShown = 5;

/** A player who is new on a server confirms once that it is really them. */
export const confirmCommand: BotCommand = {
  definition: {
    ...named('confirm', 'confirmar'),
    ...described(
      'Confirm that you are playing on a server where you are new',
      'Confirme que você está jogando em um servidor onde é novo',
    ),
  },
  isPrivate: true,
  async run({ api, language }) {
    const text = texts[language];
    const newcomers = (await api(chatTrustDiscordHttp.newcomers, {})).rows.slice(0, mostShown);
    if (newcomers.length === 0) return says(text.none);
    const lines = newcomers.map(({ playerName, serverName }) =>
      text.isNew(nameText(playerName), nameText(serverName)),
    );
    const buttons = newcomers.map(({ playerId, playerName, serverId, serverName }) =>
      button(['confirm', 'yes', playerId, serverId], {
        label: text.yes(playerName, serverName),
        style: ButtonStyle.Danger,
      }),
    );
    return { embeds: [card({ text: [...lines, text.warning].join('\n') })], components: [row(buttons)] };
  },
  buttons: {
    yes: {
      answers: 'update',
      async press({ api, language }, [playerId = '', serverId = '']) {
        await api(chatTrustDiscordHttp.confirm, { body: { playerId, serverId } });
        return says(texts[language].done);
      },
    },
  },
};
