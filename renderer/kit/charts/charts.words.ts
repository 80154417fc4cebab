import { defineWords } from '#contracts/kernel/words.ts';

export const chartsWords = defineWords(
  {
    summary: (label: string, now: string, lowest: string, highest: string) =>
      `${label}: now ${now}, lowest ${lowest}, highest ${highest}.`,
    gaps: 'Some values are missing.',
    nothing: (label: string) => `${label}: no data for this period.`,
    noData: 'No data for this period',
    unknown: 'no data',
    cursor: (label: string) => `Time in ${label}`,
    value: (time: string, value: string) => `${time}: ${value}`,
  },
  {
    summary: (label: string, now: string, lowest: string, highest: string) =>
      `${label}: agora ${now}, mínimo ${lowest}, máximo ${highest}.`,
    gaps: 'Faltam alguns valores.',
    nothing: (label: string) => `${label}: sem dados neste período.`,
    noData: 'Sem dados neste período',
    unknown: 'sem dados',
    cursor: (label: string) => `Momento em ${label}`,
    value: (time: string, value: string) => `${time}: ${value}`,
  },
);
