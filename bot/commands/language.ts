import { plural } from '#contracts/kernel/language.ts';

const languages = ['en', 'pt'] as const;
export type Language = (typeof languages)[number];

/** The same texts in each language. */
type Words<Texts> = Readonly<Record<Language, Texts>>;

export const words = <const Texts>(en: Texts, pt: NoInfer<Widened<Texts>>): Words<Widened<Texts>> => ({
  en: en as Widened<Texts>,
  pt,
});

type Widened<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends string
    ? string
    : Texts[Name] extends (...given: infer Given) => string
      ? (...given: Given) => string
      : Widened<Texts[Name]>;
};

/** @param locale the language of the person's client, as Discord names it */
export const languageOf = (locale: string): Language => (locale.startsWith('pt') ? 'pt' : 'en');

/** Discord's name for the second language; the first one is that of the descriptions themselves. */
const discordLocale = 'pt-BR';

/** A description of a command or an option. */
export const described = (en: string, pt: string) => ({
  description: en,
  description_localizations: { [discordLocale]: pt },
});

export const named = (en: string, pt: string) => ({
  name: en,
  ...(en !== pt && { name_localizations: { [discordLocale]: pt } }),
});

export const numberText = (value: number, language: Language): string =>
  value.toLocaleString(language === 'pt' ? 'pt-BR' : 'en');

/** A number of points with the noun. */
export const pointsText = (value: number, language: Language): string =>
  language === 'pt' ? plural.pt(value, 'ponto', 'pontos') : plural.en(value, 'point', 'points');

/** A time that Discord shows in the reader's own time zone and language. */
export const relativeTime = (iso: string): string => `<t:${Math.floor(Date.parse(iso) / 1000)}:R>`;
