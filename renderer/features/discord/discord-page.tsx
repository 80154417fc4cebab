import { SimpleGrid } from '@mantine/core';
import { discordHttp } from '#contracts/discord.ts';
import { useCan } from '../../access/access-state.ts';
import { AsyncContent } from '../../design/async-content.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { useWords } from '../../language/use-words.ts';
import { useRead } from '../../wire/queries.ts';
import { BotStateCard } from './bot-state-card.tsx';
import { discordWords } from './discord.words.ts';
import { EventRulesCard } from './event-rules-card.tsx';
import { InviteCard } from './invite-card.tsx';
import { RoleRightsCard } from './role-rights-card.tsx';
import { SetupCard } from './setup-card.tsx';
import { StatusMessagesCard } from './status-messages-card.tsx';

const everyMs = 3000;

export const Page = () => {
  const words = useWords(discordWords);
  const can = useCan();
  const read = useRead(discordHttp.read, {}, { everyMs });
  return (
    <Frame title={words.title} description={words.description}>
      <AsyncContent read={read}>
        {(settings) => (
          <>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <BotStateCard settings={settings} />
              <InviteCard url={settings.inviteUrl} />
            </SimpleGrid>
            <SetupCard newest={settings} readNewest={() => read.refetch()} />
            <EventRulesCard />
            <StatusMessagesCard />
            {can('admins.read') && <RoleRightsCard />}
          </>
        )}
      </AsyncContent>
    </Frame>
  );
};
