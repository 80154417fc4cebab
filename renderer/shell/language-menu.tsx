import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { languages } from '../language/define-words.ts';
import { setLanguage, useLanguage, useWords } from '../language/use-words.ts';
import { shellWords } from './shell.words.ts';

/** Each language by its own name. */
const names = { en: 'English', 'pt-BR': 'Português (Brasil)' } as const;

export const LanguageMenu = () => {
  const words = useWords(shellWords);
  const present = useLanguage();
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={words.language}>
          <ActionIcon variant="subtle" color="gray" aria-label={words.language}>
            <IconLanguage size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            aria-current={language === present}
            onClick={() => setLanguage(language)}
          >
            {names[language]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
