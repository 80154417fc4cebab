import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { useMe } from '../../access/access-state.ts';
import { Page as Frame } from '../../design/page.tsx';
import { useWords } from '../../language/use-words.ts';
import { AppearanceCard } from './appearance-card.tsx';
import { DiscordCard } from './discord-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { profileWords } from './profile.words.ts';
import { RightsCard } from './rights-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TwoStepCard } from './two-step-card.tsx';

export const Page = () => {
  const words = useWords(profileWords);
  const { account } = useMe();
  return (
    <Frame title={words.title} description={words.description}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <RightsCard />
        <Stack gap="md">
          {account ? (
            <>
              <TwoStepCard account={account} />
              <PasswordCard />
              <DiscordCard />
            </>
          ) : (
            <Alert variant="outline">{words.noAccount}</Alert>
          )}
          <AppearanceCard />
        </Stack>
      </SimpleGrid>
      {account && <SessionsCard />}
    </Frame>
  );
};
