import { Group } from '@mantine/core';
import { clustersHttp } from '#contracts/clusters.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import { Card } from '../../../design/card.tsx';
import { CopyButton } from '../../../design/copy-button.tsx';
import { Facts } from '../../../design/facts.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { AgentVersion } from '../../../game-servers/agent-version.tsx';
import { agentVersionWords } from '../../../game-servers/agent-version.words.ts';
import { useLiveAgents } from '../../../game-servers/use-live-agents.ts';
import { useWords } from '../../../language/use-words.ts';
import { useRead } from '../../../wire/queries.ts';
import { serversWords } from '../servers.words.ts';
import { serverOverviewWords } from './server-overview.words.ts';

/** The facts that identify a server beyond the head of its page, and how it is reached. */
export const ServerFacts = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(serverOverviewWords);
  const { via } = useWords(serversWords);
  const { version } = useWords(agentVersionWords);
  const clusters = useRead(clustersHttp.list, { query: { archived: 'true' } }).data?.rows;
  const agent = useLiveAgents().data?.rows.find(({ serverId }) => serverId === server.id);
  const { status, archivedAt } = server;
  const connected = status.agentMode ? words.agentModes[status.agentMode] : words.noAgent;
  return (
    <Card title={words.facts}>
      <Facts
        facts={[
          {
            label: words.cluster,
            value: <bdi>{clusters?.find(({ id }) => id === server.clusterId)?.name ?? '…'}</bdi>,
          },
          ...(archivedAt === null
            ? [
                { label: words.via, value: via[status.via ?? 'nobody'] },
                {
                  label: words.answered,
                  value: status.answeredAt ? <TimeAgo at={status.answeredAt} /> : words.never,
                },
                { label: words.agent, value: connected },
              ]
            : []),
          ...(agent?.version ? [{ label: version, value: <AgentVersion agent={agent} /> }] : []),
          { label: words.made, value: <TimeAgo at={server.createdAt} /> },
          {
            label: words.id,
            value: (
              <Group gap={4} wrap="nowrap">
                <span>{server.id}</span>
                <CopyButton value={server.id} label={words.copyId} />
              </Group>
            ),
          },
        ]}
      />
    </Card>
  );
};
