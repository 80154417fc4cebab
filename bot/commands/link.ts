import { ApplicationCommandOptionType, ButtonStyle } from 'discord.js';
import { discordUsersHttp } from '#contracts/discord/discord-users.ts';
import { type BotCommand, button, card, row, says } from './command.ts';
import { described, named, relativeTime, words } from './language.ts';
import { nameText } from './text.ts';

const texts = words(
  {
    code: (typed: string, code: string, until: string) =>
      `Type this into the chat of the game, within ten minutes (until ${until}):\n\`\`\`\n${typed} ${code}\n\`\`\`\nThe game then whispers whose code it is, and a number. Type \`${typed}\` with that number as well. Show the code to no one.`,
    member: (name: string) => `Your Discord account is now linked to ${name}.`,
    ask: (name: string) =>
      `This code is from **${name}**. Your players and points will go to ${name}, who can then use them. Link only if that is you.`,
    yes: 'That is me: link',
    admin: (name: string) => `Your Discord account is now linked to the admin ${name}.`,
  },
  {
    code: (typed: string, code: string, until: string) =>
      `Digite isto no chat do jogo em até dez minutos (até ${until}):\n\`\`\`\n${typed} ${code}\n\`\`\`\nO jogo então sussurra de quem é o código, e um número. Digite também \`${typed}\` com esse número. Não mostre o código a ninguém.`,
    member: (name: string) => `Sua conta do Discord agora está vinculada a ${name}.`,
    ask: (name: string) =>
      `Este código é de **${name}**. Seus jogadores e pontos passam para ${name}, que poderá usá-los. Vincule só se for você.`,
    yes: 'Sou eu: vincular',
    admin: (name: string) => `Sua conta do Discord agora está vinculada ao administrador ${name}.`,
  },
);

export const linkCommand: BotCommand = {
  definition: {
    ...named('link', 'vincular'),
    ...described(
      'Link your Discord account to your player in the game',
      'Vincule sua conta do Discord ao seu jogador',
    ),
    options: [
      {
        type: ApplicationCommandOptionType.String,
        ...named('code', 'codigo'),
        ...described(
          'The code that the game whispered or that your profile page shows',
          'O código que o jogo sussurrou, ou que sua página de perfil mostra',
        ),
        max_length: 40,
      },
    ],
  },
  isPrivate: true,
  async run({ api, language, options }) {
    const text = texts[language];
    const code = options.getString('code');
    if (code === null) {
      const issued = await api(discordUsersHttp.linkCode, {});
      return says(text.code(issued.typed, issued.code, relativeTime(issued.expiresAt)));
    }
    const { linked, name } = await api(discordUsersHttp.link, { body: { code } });
    if (linked !== null) return says(text[linked](nameText(name)));
    // The code is known to be right, apart from characters between its letters.
    const yes = button(['link', 'yes', code.replaceAll('|', '')], {
      label: text.yes,
      style: ButtonStyle.Danger,
    });
    return { embeds: [card({ text: text.ask(nameText(name)) })], components: [row([yes])] };
  },
  buttons: {
    yes: {
      answers: 'update',
      async press({ api, language }, [code = '']) {
        const { linked, name } = await api(discordUsersHttp.link, { body: { code, isConfirmed: true } });
        return says(texts[language][linked ?? 'member'](nameText(name)));
      },
    },
  },
};
