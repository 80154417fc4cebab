import { Radio, Stack, Text } from '@mantine/core';
import { languages } from '#contracts/language.ts';
import { useCommunity } from '../../community/community-state.ts';
import { Card } from '../../design/card.tsx';
import { setDeviceClock, useIsDeviceClock } from '../../language/time-zone.ts';
import { setLanguage, useChosenLanguage, useWords } from '../../language/use-words.ts';
import { densities, setDensity, useDensity } from '../../lists/density.ts';
import { colourSchemes, useColours } from '../../shell/colours.ts';
import { languageNames } from '../../shell/language-names.ts';
import { shellWords } from '../../shell/shell.words.ts';
import { profileWords } from './profile.words.ts';

const clocks = ['community', 'device'] as const;
/** The value of the radio button that chooses no language. */
const communitys = 'community';

/** The panel's look and language in this browser. */
export const AppearanceCard = () => {
  const { look: words } = useWords(profileWords);
  const shell = useWords(shellWords);
  const language = useChosenLanguage();
  const isDeviceClock = useIsDeviceClock();
  const { timeZone } = useCommunity();
  const clockLabels = {
    community: timeZone === null ? words.communityClock : words.communityClockIn(timeZone),
    device: words.deviceClock(Intl.DateTimeFormat().resolvedOptions().timeZone),
  };
  const { chosen, choose } = useColours();
  const density = useDensity();
  return (
    <Card title={words.title}>
      <Text c="dimmed">{words.text}</Text>
      <Radio.Group label={shell.language} value={language ?? communitys}>
        <Stack gap="xs" mt={4}>
          <Radio value={communitys} label={words.communityLanguage} onChange={() => void setLanguage(null)} />
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
      <Radio.Group label={words.clock} value={isDeviceClock ? 'device' : 'community'}>
        <Stack gap="xs" mt={4}>
          {clocks.map((each) => (
            <Radio
              key={each}
              value={each}
              label={clockLabels[each]}
              onChange={() => setDeviceClock(each === 'device')}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group label={words.rows} value={density}>
        <Stack gap="xs" mt={4}>
          {densities.map((each) => (
            <Radio key={each} value={each} label={words[each]} onChange={() => setDensity(each)} />
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
