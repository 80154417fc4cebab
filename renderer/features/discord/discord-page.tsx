import type { ComponentType } from 'react';
import { useParams } from 'wouter';
import { EmptyState } from '../../design/empty-state.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { Sectioned } from '../../design/sectioned.tsx';
import { useWords } from '../../language/use-words.ts';
import { BotSection } from './bot-section.tsx';
import { ChatRelaysCard } from './chat-relays-card.tsx';
import { discordWords } from './discord.words.ts';
import { EventRulesCard } from './event-rules-card.tsx';
import { RolesSection } from './roles-section.tsx';
import { StatusMessagesCard } from './status-messages-card.tsx';

/** In page order. */
const sections = {
  bot: BotSection,
  events: EventRulesCard,
  status: StatusMessagesCard,
  chat: ChatRelaysCard,
  roles: RolesSection,
} as const satisfies Record<string, ComponentType>;
type SectionName = keyof typeof sections;
const names = Object.keys(sections) as SectionName[];

/** The bot, and everything it does on the community's Discord server. */
export const Page = () => {
  const words = useWords(discordWords);
  const asked = useParams()['*'] ?? '';
  const chosen = asked === '' ? names[0] : names.find((name) => name === asked);
  const Section = chosen && sections[chosen];
  return (
    <Frame title={words.title} description={words.description}>
      <Sectioned
        label={words.sections}
        links={names.map((name) => ({
          to: `/discord/${name}`,
          isChosen: name === chosen,
          label: words.names[name],
        }))}
      >
        {Section ? <Section /> : <EmptyState title={words.noSection} text={words.noSectionText} />}
      </Sectioned>
    </Frame>
  );
};
