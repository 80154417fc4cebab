import { defineWords } from '../language/define-words.ts';

export const chartsWords = defineWords(
  {
    summary: (label: string, now: string, lowest: string, highest: string) =>
      `${label}: now ${now}, lowest ${lowest}, highest ${highest}.`,
    gaps: 'Not known at times.',
    nothing: (label: string) => `${label}: nothing is known of this time.`,
    noData: 'Nothing is known of this time',
    unknown: 'not known',
    cursor: (label: string) => `Point of time in ${label}`,
    value: (time: string, value: string) => `${time}: ${value}`,
  },
  {
    summary: (label: string, now: string, lowest: string, highest: string) =>
      `${label}: agora ${now}, mínimo ${lowest}, máximo ${highest}.`,
    gaps: 'Desconhecido em alguns momentos.',
    nothing: (label: string) => `${label}: nada se sabe deste período.`,
    noData: 'Nada se sabe deste período',
    unknown: 'desconhecido',
    cursor: (label: string) => `Momento em ${label}`,
    value: (time: string, value: string) => `${time}: ${value}`,
  },
);
