import { SimpleGrid, Stack } from '@mantine/core';
import type { ComponentType } from 'react';
import { useParams } from 'wouter';
import { discordHttp } from '#contracts/discord/discord.ts';
import { useCan } from '../kit/access/access-state.ts';
import { useRead } from '../kit/api/queries.ts';
import { AsyncContent } from '../kit/design/async-content.tsx';
import { EmptyState } from '../kit/design/empty-state.tsx';
import { Page as Frame } from '../kit/design/page.tsx';
import { Sectioned } from '../kit/design/sectioned.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { BotStateCard } from './bot-state-card.tsx';
import { ChatRelaysCard } from './chat-relays-card.tsx';
import { discordWords } from './discord.words.ts';
import { EventRulesCard } from './event-rules-card.tsx';
import { InviteCard } from './invite-card.tsx';
import { RoleLinksCard } from './role-links-card.tsx';
import { RoleRightsCard } from './role-rights-card.tsx';
import { SetupCard } from './setup-card.tsx';
import { StatusMessagesCard } from './status-messages-card.tsx';

/** The meaning of Discord's roles here. */
const RolesSection = () => {
  const can = useCan();
  return (
    <Stack gap="md">
      <RoleLinksCard />
      {can('admins.read') && <RoleRightsCard />}
    </Stack>
  );
};

const botEveryMs = 3000;

/** The bot's state and its configuration. */
const BotSection = () => {
  const read = useRead(discordHttp.read, {}, { everyMs: botEveryMs });
  return (
    <AsyncContent read={read}>
      {(settings) => (
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, xl: 2 }} spacing="md">
            <BotStateCard settings={settings} />
            <InviteCard url={settings.inviteUrl} />
          </SimpleGrid>
          <SetupCard newest={settings} readNewest={() => read.refetch()} />
        </Stack>
      )}
    </AsyncContent>
  );
};

/** In page order. */
const sections = {
  bot: BotSection,
  events: EventRulesCard,
  status: StatusMessagesCard,
  chat: ChatRelaysCard,
  roles: RolesSection,
} as const satisfies Record<string, ComponentType>;
type SectionName = keyof typeof sections;
const sectionNames = Object.keys(sections) as SectionName[];

/** The bot, and everything it does on the community's Discord server. */
export const Page = () => {
  const words = useWords(discordWords);
  const asked = useParams()['*'] ?? '';
  const chosen = asked === '' ? sectionNames[0] : sectionNames.find((name) => name === asked);
  const Section = chosen && sections[chosen];
  return (
    <Frame title={words.title} description={words.description}>
      <Sectioned
        label={words.sections}
        links={sectionNames.map((name) => ({
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
