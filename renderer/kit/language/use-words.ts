import { type Language, languages, spokenLanguage } from '#contracts/kernel/language.ts';
import type { InWords, WordsOf } from '#contracts/kernel/words.ts';
import { onCommunity, presentCommunity, useCommunity } from '../community/community-state.ts';
import { loadProblemWords } from './problem-words.ts';
import { useReadingChoices } from './reading-choices.ts';

/** The language of this browser, for people whose community has chosen none. */
const ownLanguage = spokenLanguage(navigator.languages) ?? languages[0];

const languageOf = (chosen: Language | null, communitys: Language | null): Language =>
  chosen ?? communitys ?? ownLanguage;

/** Null: the community's language. */
export const useChosenLanguage = (): Language | null => useReadingChoices(({ language }) => language);

export const useLanguage = (): Language => languageOf(useChosenLanguage(), useCommunity().language);

/** The current language, outside of components. */
export const presentLanguage = (): Language =>
  languageOf(useReadingChoices.getState().language, presentCommunity().language);

/** @param language null: the community's */
export const setLanguage = async (language: Language | null): Promise<void> => {
  await loadProblemWords(languageOf(language, presentCommunity().language));
  useReadingChoices.setState({ language });
};

onCommunity(() => void loadProblemWords(presentLanguage()));

/** A feature's words in the current language. */
export const useWords = <P>(words: WordsOf<P>): InWords<P> => words[useLanguage()];
