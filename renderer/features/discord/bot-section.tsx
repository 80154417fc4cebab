import { SimpleGrid, Stack } from '@mantine/core';
import { discordHttp } from '#contracts/discord.ts';
import { AsyncContent } from '../../design/async-content.tsx';
import { useRead } from '../../wire/queries.ts';
import { BotStateCard } from './bot-state-card.tsx';
import { InviteCard } from './invite-card.tsx';
import { SetupCard } from './setup-card.tsx';

const everyMs = 3000;

/** The bot's state and its configuration. */
export const BotSection = () => {
  const read = useRead(discordHttp.read, {}, { everyMs });
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
