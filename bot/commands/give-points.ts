import { ApplicationCommandOptionType, ButtonStyle } from 'discord.js';
import { rewardsDiscordHttp } from '#contracts/store/rewards.ts';
import { ApiProblem } from '../api-client.ts';
import { type BotCommand, button, card, type Reply, row, says } from './command.ts';
import { faultText, isUncertain } from './faults.ts';
import { described, type Language, named, numberText, pointsText, words } from './language.ts';
import { nameText } from './text.ts';

const texts = words(
  {
    ask: (points: string, whom: string) => `Give ${points} to ${whom}?`,
    left: (balance: string) => `You will have ${balance} left.`,
    yes: 'Give',
    no: 'Cancel',
    cancelled: 'Nothing was given.',
    given: (points: string, whom: string, balance: string) =>
      `You gave **${points}** to ${whom}. You have ${balance} left.`,
    gone: 'They are no longer on this Discord server.',
    bot: 'A bot has no points.',
    self: 'You cannot give points to yourself.',
    off: 'Points cannot be given now. If you waited a long time, start again.',
    limit: 'That is less than the smallest gift, or more than you can still give today. Nothing was given.',
    uncertain:
      'It is not known whether the points were given. Press the button again. They are given only once.',
  },
  {
    ask: (points: string, whom: string) => `Dar ${points} a ${whom}?`,
    left: (balance: string) => `Você ficará com ${balance}.`,
    yes: 'Dar',
    no: 'Cancelar',
    cancelled: 'Nada foi dado.',
    given: (points: string, whom: string, balance: string) =>
      `Você deu **${points}** a ${whom}. Você ainda tem ${balance}.`,
    gone: 'Essa pessoa não está mais neste servidor do Discord.',
    bot: 'Um bot não tem pontos.',
    self: 'Você não pode dar pontos a si mesmo.',
    off: 'Não é possível dar pontos agora. Se você demorou, comece de novo.',
    limit: 'É menos que o menor presente, ou mais do que você ainda pode dar hoje. Nada foi dado.',
    uncertain: 'Não se sabe se os pontos foram dados. Aperte o botão de novo. Eles só são dados uma vez.',
  },
);

const refusalText = (error: unknown, language: Language): string => {
  const code = error instanceof ApiProblem ? error.code : undefined;
  if (code === 'REWARD_UNAVAILABLE') return texts[language].off;
  return code === 'LIMIT_REACHED' ? texts[language].limit : faultText(error, language);
};

const yesButton = (id: string, language: Language) =>
  button(['give-points', 'yes', id], { label: texts[language].yes, style: ButtonStyle.Success });

export const givePointsCommand: BotCommand = {
  definition: {
    ...named('give-points', 'dar-pontos'),
    ...described('Give some of your points to someone else', 'Dê alguns dos seus pontos a outra pessoa'),
    options: [
      {
        type: ApplicationCommandOptionType.User,
        ...named('person', 'pessoa'),
        ...described('Who receives them', 'Quem recebe'),
        required: true,
      },
      {
        type: ApplicationCommandOptionType.Integer,
        ...named('points', 'pontos'),
        ...described('How many', 'Quantos'),
        required: true,
        min_value: 1,
        max_value: 1_000_000_000,
      },
    ],
  },
  isPrivate: true,
  async run({ api, language, options, userId }): Promise<Reply> {
    const text = texts[language];
    const receiver = options.getUser('person', true);
    if (receiver.bot) return says(text.bot);
    if (receiver.id === userId) return says(text.self);
    if (!options.getMember('person')) return says(text.gone);
    const points = options.getInteger('points', true);
    try {
      const offer = await api(rewardsDiscordHttp.offerGift, { body: { receiverId: receiver.id, points } });
      const whom = `<@${receiver.id}> (${nameText(offer.receiverName)})`;
      return {
        embeds: [
          card({
            text: `${text.ask(pointsText(points, language), whom)} ${text.left(pointsText(offer.balance - points, language))}`,
          }),
        ],
        components: [row([yesButton(offer.id, language), button(['give-points', 'no'], { label: text.no })])],
      };
    } catch (error) {
      if (error instanceof ApiProblem) return says(`⚠️ ${refusalText(error, language)}`);
      throw error;
    }
  },
  buttons: {
    yes: {
      answers: 'update',
      isDecision: true,
      async press({ api, language }, [id = '']) {
        const text = texts[language];
        try {
          const given = await api(rewardsDiscordHttp.confirmGift, { params: { id } });
          const { points, receiverName, balance } = given;
          return says(
            text.given(pointsText(points, language), nameText(receiverName), numberText(balance, language)),
          );
        } catch (error) {
          if (!isUncertain(error)) return says(`⚠️ ${refusalText(error, language)}`);
          return {
            content: `⚠️ ${faultText(error, language)} ${text.uncertain}`,
            components: [row([yesButton(id, language)])],
          };
        }
      },
    },
    no: { answers: 'update', press: async ({ language }) => says(texts[language].cancelled) },
  },
};
