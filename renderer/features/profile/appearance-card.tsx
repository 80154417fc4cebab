import { Radio, Stack, Text } from '@mantine/core';
import { languages } from '#contracts/language.ts';
import { Card } from '../../design/card.tsx';
import { setLanguage, useLanguage, useWords } from '../../language/use-words.ts';
import { colourSchemes, useColours } from '../../shell/colours.ts';
import { languageNames } from '../../shell/language-names.ts';
import { shellWords } from '../../shell/shell.words.ts';
import { profileWords } from './profile.words.ts';

/** How the panel looks and speaks in this browser. */
export const AppearanceCard = () => {
  const { look: words } = useWords(profileWords);
  const shell = useWords(shellWords);
  const language = useLanguage();
  const { chosen, choose } = useColours();
  return (
    <Card title={words.title}>
      <Text c="dimmed">{words.text}</Text>
      <Radio.Group label={shell.language} value={language}>
        <Stack gap="xs" mt={4}>
          {languages.map((each) => (
            <Radio
              key={each}
              value={each}
              lang={each}
              label={languageNames[each]}
              onChange={() => void setLanguage(each)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group label={shell.theme} value={chosen}>
        <Stack gap="xs" mt={4}>
          {colourSchemes.map((each) => (
            <Radio key={each} value={each} label={shell[each]} onChange={() => choose(each)} />
          ))}
        </Stack>
      </Radio.Group>
    </Card>
  );
};
