/** What panel and bot speak; the first is what they fall back on. */
export const languages = ['en', 'pt-BR'] as const;
export type Language = (typeof languages)[number];

const pluralIn = (language: Language) => {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (count: number, one: string, other: string): string =>
    `${numbers.format(count)} ${rules.select(count) === 'one' ? one : other}`;
};

/** A number with its noun: `plural.en(2, 'server', 'servers')` is "2 servers". */
export const plural = { en: pluralIn('en'), pt: pluralIn('pt-BR') } as const;
