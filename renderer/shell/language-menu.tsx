import { IconLanguage } from '@tabler/icons-react';
import { languages } from '#contracts/kernel/language.ts';
import { languageNames } from '../kit/language/language-names.ts';
import { setLanguage, useLanguage, useWords } from '../kit/language/use-words.ts';
import { ChoiceItem } from './choice-item.tsx';
import { ChoiceMenu } from './choice-menu.tsx';
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
