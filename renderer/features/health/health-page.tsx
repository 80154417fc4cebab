import { SimpleGrid } from '@mantine/core';
import { useCan } from '../../access/access-state.ts';
import { AsyncContent } from '../../design/async-content.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { useWords } from '../../language/use-words.ts';
import { LastKnown } from '../../stack-health/last-known.tsx';
import { useStackHealth } from '../../stack-health/use-stack-health.ts';
import { AgentsCard } from './agents-card.tsx';
import { BotCard } from './bot-card.tsx';
import { DatabaseCard } from './database-card.tsx';
import { healthWords } from './health.words.ts';
import { ProgramCard } from './program-card.tsx';
import { QueuesCard } from './queues-card.tsx';
import { SpaceCard } from './space-card.tsx';
import { StateLegendCard } from './state-legend-card.tsx';
import { PartsCard, TroubleCard } from './trouble-card.tsx';

/** While the page is visible. */
const everyMs = 5000;

/** All facts about the stack's health. */
export const Page = () => {
  const words = useWords(healthWords);
  const can = useCan();
  const { read, lastKnownAt } = useStackHealth({ isPolled: true });
  const isLastKnown = lastKnownAt !== null;
  return (
    <Frame title={words.title} description={words.description}>
      {lastKnownAt && <LastKnown at={lastKnownAt} />}
      <AsyncContent read={read}>
        {(health) => (
          <>
            <TroubleCard health={health} isLastKnown={isLastKnown} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <PartsCard health={health} isLastKnown={isLastKnown} />
              <DatabaseCard everyMs={everyMs} />
            </SimpleGrid>
            <QueuesCard everyMs={everyMs} />
            <AgentsCard everyMs={everyMs} isLastKnown={isLastKnown} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <BotCard health={health} isLastKnown={isLastKnown} />
              <ProgramCard health={health} />
            </SimpleGrid>
            {can('logs.read') && <SpaceCard />}
            <StateLegendCard />
          </>
        )}
      </AsyncContent>
    </Frame>
  );
};
