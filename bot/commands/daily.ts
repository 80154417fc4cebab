import { rewardsDiscordHttp } from '#contracts/store/rewards.ts';
import { ApiProblem } from '../api-client.ts';
import { type BotCommand, says } from './command.ts';
import { described, named, numberText, pointsText, relativeTime, words } from './language.ts';

const texts = words(
  {
    claimed: (points: string, balance: string) => `You got **${points}** and now have ${balance}.`,
    streak: (days: number) => `Day ${days} in a row.`,
    already: 'You have already claimed today’s points.',
    next: (when: string) => `Come back ${when}.`,
    none: 'There are no daily points at the moment.',
  },
  {
    claimed: (points: string, balance: string) => `Você ganhou **${points}** e agora tem ${balance}.`,
    streak: (days: number) => `É o ${days}º dia seguido.`,
    already: 'Você já resgatou os pontos de hoje.',
    next: (when: string) => `Volte ${when}.`,
    none: 'Não há pontos diários no momento.',
  },
);

export const dailyCommand: BotCommand = {
  definition: {
    ...named('daily', 'diario'),
    ...described('Claim your points for today', 'Resgate seus pontos de hoje'),
  },
  isPrivate: true,
  async run({ api, language }) {
    const text = texts[language];
    try {
      const { isNew, points, streak, nextAt, balance } = await api(rewardsDiscordHttp.daily, {});
      const lines = isNew
        ? [
            text.claimed(pointsText(points, language), numberText(balance, language)),
            ...(streak > 1 ? [text.streak(streak)] : []),
          ]
        : [text.already];
      return says([...lines, text.next(relativeTime(nextAt))].join(' '));
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'REWARD_UNAVAILABLE') return says(text.none);
      throw error;
    }
  },
};
