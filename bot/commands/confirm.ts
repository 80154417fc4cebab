import { ButtonStyle } from 'discord.js';
import { chatTrustDiscordHttp } from '#contracts/chat-trust.ts';
import { type BotCommand, button, card, row, says } from './command.ts';
import { described, named, words } from './language.ts';
import { nameText } from './text.ts';

const texts = words(
  {
    none: 'None of your players is new on a server now. Join it first, then confirm.',
    ask: (player: string, server: string) =>
      `**${player}** is new on **${server}**. Confirm only if you are playing there now: the server can then spend your points by its chat.`,
    yes: 'That is me: confirm',
    done: 'Confirmed. You can buy and link by the chat of the game now.',
  },
  {
    none: 'Nenhum jogador seu é novo em um servidor agora. Entre nele primeiro e depois confirme.',
    ask: (player: string, server: string) =>
      `**${player}** é novo em **${server}**. Confirme só se você estiver jogando lá agora: o servidor poderá gastar seus pontos pelo chat.`,
    yes: 'Sou eu: confirmar',
    done: 'Confirmado. Agora você pode comprar e vincular pelo chat do jogo.',
  },
);

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
    const [newcomer] = (await api(chatTrustDiscordHttp.newcomers, {})).rows;
    if (!newcomer) return says(text.none);
    const { playerId, playerName, serverId, serverName } = newcomer;
    const yes = button(['confirm', 'yes', playerId, serverId], {
      label: text.yes,
      style: ButtonStyle.Danger,
    });
    return {
      embeds: [card({ text: text.ask(nameText(playerName), nameText(serverName)) })],
      components: [row([yes])],
    };
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
