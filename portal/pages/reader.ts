import { createContext, useContext } from 'react';
import type { Language } from '#contracts/kernel/language.ts';
import type { InWords, WordsOf } from '#contracts/kernel/words.ts';
import { type PortalFormat, portalFormat } from '../language/portal-format.ts';

/** The person whom a page is made for. */
export interface Reader {
  readonly language: Language;
  /** A path of ours that shows this page, or the previous one, in another language. */
  readonly place: string;
}

const ReaderContext = createContext<Reader | null>(null);

export const ReaderProvider = ReaderContext.Provider;

export const useReader = (): Reader => {
  const reader = useContext(ReaderContext);
  if (reader === null) throw new Error('a page is made for a reader');
  return reader;
};

/** A feature's words in the reader's language. */
export const useWords = <P>(words: WordsOf<P>): InWords<P> => words[useReader().language];

export const useFormat = (): PortalFormat => portalFormat[useReader().language];
