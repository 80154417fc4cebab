import * as z from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { type Language, languages } from '#contracts/language.ts';
import { followOtherTabs } from '../wire/follow-other-tabs.ts';
import type { InWords, WordsOf } from './define-words.ts';
import { loadProblemWords } from './problem-words.ts';

/** The first of the browser's languages that the panel speaks, whatever the country. */
export const preferredLanguage = (wanted: readonly string[]): Language => {
  for (const tag of wanted) {
    const found = languages.find((language) => language.split('-')[0] === tag.split('-')[0]?.toLowerCase());
    if (found) return found;
  }
  return languages[0];
};

const knownLanguage = z.object({ language: z.enum(languages) });

const useLanguageStore = create<{ readonly language: Language }>()(
  persist(() => ({ language: preferredLanguage(navigator.languages) }), {
    name: 'castellan.language',
    version: 1,
    // Another version of the panel may have spoken more languages.
    merge: (kept, present) => ({ ...present, ...knownLanguage.safeParse(kept).data }),
  }),
);
followOtherTabs(useLanguageStore);

export const useLanguage = (): Language => useLanguageStore(({ language }) => language);

export const setLanguage = async (language: Language): Promise<void> => {
  await loadProblemWords(language);
  useLanguageStore.setState({ language });
};

/** The language of now, where no component is near. */
export const presentLanguage = (): Language => useLanguageStore.getState().language;

/** A feature's words in the language of now. */
export const useWords = <P>(words: WordsOf<P>): InWords<P> => words[useLanguage()];
