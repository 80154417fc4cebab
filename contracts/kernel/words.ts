import type { Language } from './language.ts';

type Phrase = string | ((...values: never[]) => string);
export interface Phrases {
  readonly [name: string]: Phrase | Phrases;
}

/** The same names and values in any language. */
export type InWords<P> = {
  readonly [Name in keyof P]: P[Name] extends string
    ? string
    : P[Name] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : InWords<P[Name]>;
};

export type WordsOf<P> = Readonly<Record<Language, InWords<P>>>;

/**
 * A feature's words in every language. A name missing in one of them does not compile. A phrase with values is a
 * function: `servers: (n: number) => plural.en(n, 'server', 'servers')`.
 */
export const defineWords = <const P extends Phrases>(en: P, ptBr: NoInfer<InWords<P>>): WordsOf<P> => ({
  // The same phrases, without their literal types.
  en: en as unknown as InWords<P>,
  'pt-BR': ptBr,
});
