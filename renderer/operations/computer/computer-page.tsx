import { useParams } from 'wouter';
import { desktopBridge } from '../../kit/api/desktop-bridge.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { Sectioned } from '../../kit/design/sectioned.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { computerWords } from './computer.words.ts';
import { Section as Data } from './data/data-section.tsx';
import { Section as Diagnostics } from './diagnostics/diagnostics-section.tsx';
import { Section as General } from './general/general-section.tsx';
import { Section as Network } from './network/network-section.tsx';
import { Section as Services } from './services/services-section.tsx';
import { Section as Updates } from './updates/updates-section.tsx';

/** In page order. */
const sections = {
  general: { Section: General, isWindowsOnly: false },
  services: { Section: Services, isWindowsOnly: true },
  network: { Section: Network, isWindowsOnly: false },
  data: { Section: Data, isWindowsOnly: false },
  updates: { Section: Updates, isWindowsOnly: false },
  diagnostics: { Section: Diagnostics, isWindowsOnly: false },
} as const;
type SectionName = keyof typeof sections;

/** Settings of the machine that Castellan runs on; only the desktop can change them. */
export const Page = () => {
  const words = useWords(computerWords);
  const asked = useParams()['*'] ?? '';
  const isWindows = desktopBridge()?.isWindows ?? false;
  const names = (Object.keys(sections) as SectionName[]).filter(
    (name) => isWindows || !sections[name].isWindowsOnly,
  );
  const chosen = asked === '' ? names[0] : names.find((name) => name === asked);
  const Section = chosen && sections[chosen].Section;
  return (
    <Frame title={words.title} description={words.description}>
      <Sectioned
        label={words.sections}
        links={names.map((name) => ({
          to: `/computer/${name}`,
          isChosen: name === chosen,
          label: words.names[name],
        }))}
      >
        {Section ? <Section /> : <EmptyState title={words.noSection} text={words.noSectionText} />}
      </Sectioned>
    </Frame>
  );
};
