import { IconLanguage } from '@tabler/icons-react';
import { languages } from '#contracts/language.ts';
import { setLanguage, useLanguage, useWords } from '../language/use-words.ts';
import { ChoiceItem } from './choice-item.tsx';
import { ChoiceMenu } from './choice-menu.tsx';
import { languageNames } from './language-names.ts';
import { shellWords } from './shell.words.ts';

/** The languages, as lines of a menu. */
export const LanguageItems = () => {
  const present = useLanguage();
  return languages.map((language) => (
    <ChoiceItem
      key={language}
      value={language}
      lang={language}
      isChosen={language === present}
      onChoose={() => void setLanguage(language)}
    >
      {languageNames[language]}
    </ChoiceItem>
  ));
};

export const LanguageMenu = () => {
  const words = useWords(shellWords);
  return (
    <ChoiceMenu label={words.language} icon={<IconLanguage size={18} aria-hidden />}>
      <LanguageItems />
    </ChoiceMenu>
  );
};
