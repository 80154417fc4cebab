import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useRoute } from 'wouter';
import type { Format } from '#contracts/kernel/format.ts';
import type { InWords } from '#contracts/kernel/words.ts';
import type { Agent } from '#contracts/servers/agents.ts';
import { games } from '#contracts/servers/games.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { DataList } from '../../kit/lists/data-list.tsx';
import type { ListColumn, ListFilter } from '../../kit/lists/list-props.ts';
import { useLiveAgents } from '../game-servers/use-live-agents.ts';
import { AgentLabel } from './agent-label.tsx';
import { AgentPage } from './agent-page.tsx';
import { agentState, agentWarnings } from './agent-state.ts';
import { agentsWords } from './agents.words.ts';

const states = ['connected', 'silent', 'refused', 'away', 'none'] as const;

const rowId = ({ serverId }: Agent) => serverId;
const search = ({ serverName, game, address, version }: Agent) =>
  [serverName, games[game].name, address, version].join(' ');

const agentColumns = (
  words: InWords<(typeof agentsWords)['en']>,
  format: Format,
): readonly ListColumn<Agent>[] => {
  const warningsOf = (agent: Agent) => agentWarnings(agent).map((warning) => words.warnings[warning].title);
  return [
    {
      id: 'server',
      header: words.server,
      cell: ({ serverName }) => <bdi>{serverName}</bdi>,
      sortBy: ({ serverName }) => serverName,
      text: ({ serverName }) => serverName,
      width: 'minmax(6.5rem, 1.5fr)',
    },
    {
      id: 'state',
      header: words.agent,
      cell: (agent) => <AgentLabel agent={agent} withMode />,
      sortBy: (agent) => states.indexOf(agentState(agent)),
      text: (agent) => words.states[agentState(agent)],
      width: '13rem',
    },
    {
      id: 'warnings',
      header: words.warning,
      cell: (agent) => {
        const warnings = warningsOf(agent);
        return warnings.length > 0 && <StateLabel tone="warn">{format.list(warnings)}</StateLabel>;
      },
      text: (agent) => warningsOf(agent).join('; '),
      width: 'minmax(6.5rem, 1.5fr)',
    },
    {
      id: 'seen',
      header: words.lastSeen,
      cell: ({ lastSeenAt }) =>
        lastSeenAt ? <TimeAgo at={lastSeenAt} /> : <Text c="dimmed">{words.never}</Text>,
      sortBy: ({ lastSeenAt }) => lastSeenAt,
      text: ({ lastSeenAt }) => lastSeenAt ?? '',
      width: '9rem',
    },
    {
      id: 'address',
      header: words.address,
      cell: ({ address }) => address ?? '–',
      text: ({ address }) => address ?? '',
      width: '7.5rem',
      isMinor: true,
    },
    {
      id: 'version',
      header: words.version,
      cell: ({ version }) => (version ? <bdi>{version}</bdi> : '–'),
      text: ({ version }) => version ?? '',
      width: '5.5rem',
      isMinor: true,
    },
  ];
};

const AgentsList = () => {
  const words = useWords(agentsWords);
  const format = useFormat();
  const agents = useLiveAgents();
  const columns = useMemo(() => agentColumns(words, format), [words, format]);
  const filters = useMemo(
    (): readonly ListFilter<Agent>[] => [
      {
        id: 'state',
        label: words.agent,
        options: states.map((value) => ({ value, label: words.states[value] })),
        matches: (agent, value) => agentState(agent) === value,
      },
    ],
    [words],
  );
  return (
    <Frame title={words.title} description={words.description}>
      <AsyncContent read={agents} loading={<Loading shape="list" />}>
        {({ rows }) => (
          <DataList
            name="agents"
            label={words.title}
            rows={rows}
            rowId={rowId}
            rowTo={({ serverId }) => `/agents/${encodeURIComponent(serverId)}`}
            search={search}
            filters={filters}
            columns={columns}
            empty={
              <EmptyState
                title={words.empty}
                text={words.emptyText}
                action={<PanelLink to="/servers">{words.toServers}</PanelLink>}
              />
            }
          />
        )}
      </AsyncContent>
    </Frame>
  );
};

export const Page = () => {
  const [isOne, params] = useRoute<{ serverId: string }>('/agents/:serverId');
  return isOne ? <AgentPage key={params.serverId} serverId={params.serverId} /> : <AgentsList />;
};
