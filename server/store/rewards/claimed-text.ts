import { type Language, plural } from '#contracts/kernel/language.ts';
import type { DailyClaim } from '#contracts/store/rewards.ts';

const texts = {
  en: {
    claimed: (points: number, balance: number) =>
      `You got ${plural.en(points, 'point', 'points')} for today and have ${balance.toLocaleString('en')}.`,
    streak: (days: number) => ` ${days} days in a row.`,
    already: 'You have claimed today’s points. Come back tomorrow.',
  },
  'pt-BR': {
    claimed: (points: number, balance: number) =>
      `Você ganhou ${plural.pt(points, 'ponto', 'pontos')} de hoje e tem ${balance.toLocaleString('pt-BR')} agora.`,
    streak: (days: number) => ` ${days} dias seguidos.`,
    already: 'Você já resgatou os pontos de hoje. Volte amanhã.',
  },
} as const satisfies Record<Language, unknown>;

/** What a player is told in the game's chat, in one line. */
export const claimedText = ({ isNew, points, balance, streak }: DailyClaim, language: Language): string => {
  const words = texts[language];
  if (!isNew) return words.already;
  return `${words.claimed(points, balance)}${streak > 1 ? words.streak(streak) : ''}`;
};
