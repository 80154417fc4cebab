/** The languages of panel, bot and portal; the first is the fallback. */
export const languages = ['en', 'pt-BR'] as const;
export type Language = (typeof languages)[number];

/**
 * The first of the wanted languages that is supported, ignoring the country; null if none is.
 * @param wanted language tags, the most preferred first
 */
export const spokenLanguage = (wanted: readonly string[]): Language | null => {
  for (const tag of wanted) {
    const found = languages.find((language) => language.split('-')[0] === tag.split('-')[0]?.toLowerCase());
    if (found) return found;
  }
  return null;
};

const pluralIn = (language: Language) => {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (count: number, one: string, other: string): string =>
    `${numbers.format(count)} ${rules.select(count) === 'one' ? one : other}`;
};

/** A number with its noun: `plural.en(2, 'server', 'servers')` is "2 servers". */
export const plural = { en: pluralIn('en'), pt: pluralIn('pt-BR') } as const;
