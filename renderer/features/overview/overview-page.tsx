import { SimpleGrid } from '@mantine/core';
import { useCan } from '../../access/access-state.ts';
import { Page as Frame } from '../../design/page.tsx';
import { useWords } from '../../language/use-words.ts';
import { CountsSection } from './counts-section.tsx';
import { FirstStepsHint } from './first-steps-hint.tsx';
import { MetricsSection } from './metrics-section.tsx';
import { NotableEvents } from './notable-events.tsx';
import { overviewWords } from './overview.words.ts';
import { PartsSection } from './parts-section.tsx';
import { ServersSection } from './servers-section.tsx';
import { useServersNow } from './use-servers-now.ts';

/** Everything at a glance, as far as one may see it. */
export const Page = () => {
  const words = useWords(overviewWords);
  const can = useCan();
  const servers = useServersNow();
  const rows = servers.read.data?.rows;
  const serverName = (id: string) => rows?.find((server) => server.id === id)?.name ?? null;
  return (
    <Frame title={words.title} description={words.description}>
      <FirstStepsHint servers={rows} />
      {can('stack.read') && <PartsSection />}
      <CountsSection servers={rows} lastKnownAt={servers.lastKnownAt} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {can.somewhere('servers.read') && <ServersSection servers={servers} />}
        {can('events.read') && <NotableEvents serverName={serverName} />}
      </SimpleGrid>
      {can('stack.read') && <MetricsSection />}
    </Frame>
  );
};
