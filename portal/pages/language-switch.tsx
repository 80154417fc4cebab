import { type Language, languages } from '#contracts/kernel/language.ts';
import { pagesWords } from './pages.words.ts';
import { useReader, useWords } from './reader.ts';

export const languageSwitchPath = '/language';
export const languageField = 'language';
export const placeField = 'place';

/** Each in its own language, so that readers recognize theirs. */
const names: Readonly<Record<Language, string>> = { en: 'English', 'pt-BR': 'Português (Brasil)' };

/** One button for each other language; it leads back to the same page. */
export const LanguageSwitch = () => {
  const { language, place } = useReader();
  const words = useWords(pagesWords);
  return (
    <form method="post" action={languageSwitchPath} className="languages" aria-label={words.language}>
      <input type="hidden" name={placeField} value={place} />
      {languages
        .filter((other) => other !== language)
        .map((other) => (
          <button key={other} className="plain" type="submit" name={languageField} value={other} lang={other}>
            {names[other]}
          </button>
        ))}
    </form>
  );
};
