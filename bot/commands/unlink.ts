import { ButtonStyle } from 'discord.js';
import { discordUsersHttp } from '#contracts/discord/discord-users.ts';
import { type BotCommand, button, card, row, says } from './command.ts';
import { described, named, words } from './language.ts';
import { nameText } from './text.ts';

const texts = words(
  {
    nothing: 'Nothing is linked to your Discord account.',
    ask: (names: string) =>
      `Your Discord account is linked to ${names}. Points and purchases stay with the player, and come back when you link again.`,
    yes: 'Unlink',
    done: 'Your Discord account is no longer linked.',
    admin: (name: string) => `the admin ${name}`,
  },
  {
    nothing: 'Nada está vinculado à sua conta do Discord.',
    ask: (names: string) =>
      `Sua conta do Discord está vinculada a ${names}. Pontos e compras ficam com o jogador e voltam quando você vincular de novo.`,
    yes: 'Desvincular',
    done: 'Sua conta do Discord não está mais vinculada.',
    admin: (name: string) => `o administrador ${name}`,
  },
);

export const unlinkCommand: BotCommand = {
  definition: {
    ...named('unlink', 'desvincular'),
    ...described(
      'Unlink your Discord account from your player',
      'Desvincule sua conta do Discord do seu jogador',
    ),
  },
  isPrivate: true,
  async run({ api, language }) {
    const text = texts[language];
    const { member, adminName } = await api(discordUsersHttp.me, {});
    const names = [
      ...(member?.players.slice(0, 10).map(({ name }) => nameText(name)) ?? []),
      ...(adminName === null ? [] : [text.admin(nameText(adminName))]),
    ];
    if (names.length === 0) return says(text.nothing);
    return {
      embeds: [card({ text: text.ask(names.join(', ')) })],
      components: [row([button(['unlink', 'yes'], { label: text.yes, style: ButtonStyle.Danger })])],
    };
  },
  buttons: {
    yes: {
      answers: 'update',
      async press({ api, language }) {
        const { unlinked } = await api(discordUsersHttp.unlink, {});
        return says(unlinked.length === 0 ? texts[language].nothing : texts[language].done);
      },
    },
  },
};
