import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { clustersHttp } from '#contracts/clusters.ts';
import { consoleHttp } from '#contracts/console.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import { games } from '#contracts/games.ts';
import { useCan } from '../../access/access-state.ts';
import { Card } from '../../design/card.tsx';
import { CopyButton } from '../../design/copy-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { AgentVersion } from '../../game-servers/agent-version.tsx';
import { agentVersionWords } from '../../game-servers/agent-version.words.ts';
import { OutcomeLabel } from '../../game-servers/outcome-label.tsx';
import { outcomesWords } from '../../game-servers/outcomes.words.ts';
import { plainText } from '../../game-servers/plain-text.ts';
import { ServerStateSentence } from '../../game-servers/server-state.tsx';
import { useLiveAgents } from '../../game-servers/use-live-agents.ts';
import { useWords } from '../../language/use-words.ts';
import { useRead } from '../../wire/queries.ts';
import { PlayersUnknown } from './players/players-unknown.tsx';
import { usePlayersOf } from './players/use-players-of.ts';
import { PowerCards } from './power/power-card.tsx';
import { serverPageWords } from './server-page.words.ts';
import { serversWords } from './servers.words.ts';

export const ServerOverview = ({ server }: { readonly server: GameServer }) => {
  const can = useCan();
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <StateCard server={server} />
        {can('players.read', server.id) && <PlayersCard server={server} />}
      </SimpleGrid>
      {!server.archivedAt && <PowerCards server={server} />}
      <FactsCard server={server} />
      {can('console.read', server.id) && <RecentCard server={server} />}
    </Stack>
  );
};

interface OfServer {
  readonly server: GameServer;
}
const addressOf = ({ id }: GameServer, tab: string) => `/servers/${encodeURIComponent(id)}/${tab}`;

const StateCard = ({ server }: OfServer) => {
  const words = useWords(serverPageWords).overview;
  const outcomes = useWords(outcomesWords);
  const can = useCan();
  const { via } = useWords(serversWords);
  const { state, detail, outcome, answeredAt } = server.status;
  const remedy =
    state === 'starting'
      ? words.starting
      : outcome && outcome !== 'answered'
        ? outcomes.remedies[outcome]
        : state === 'unknown'
          ? words.askedNever
          : null;
  return (
    <Card title={words.state}>
      <ServerStateSentence server={server} />
      <Text size="sm" c="dimmed" component="div">
        {words.via}: {via[server.status.via ?? 'nobody']} · {words.answered}:{' '}
        {answeredAt ? <TimeAgo at={answeredAt} /> : words.never}
      </Text>
      {state !== 'online' && !server.archivedAt && (
        <Stack gap="xs">
          {outcome && outcome !== 'answered' && <Text fw={600}>{outcomes.outcomes[outcome]}</Text>}
          {remedy && <Text>{remedy}</Text>}
          {detail && (
            <Text size="sm" c="dimmed">
              <bdi>{detail}</bdi>
            </Text>
          )}
          {can('servers.write', server.id) && state !== 'starting' && (
            <PanelLink to={addressOf(server, 'settings')}>{words.fixSettings}</PanelLink>
          )}
        </Stack>
      )}
    </Card>
  );
};

const PlayersCard = ({ server }: OfServer) => {
  const words = useWords(serverPageWords).overview;
  const online = usePlayersOf(server.id);
  const players = online?.players ?? null;
  return (
    <Card
      title={words.players}
      actions={<PanelLink to={addressOf(server, 'players')}>{words.toPlayers}</PanelLink>}
    >
      {players === null && <PlayersUnknown asOf={online?.asOf ?? null} />}
      {players?.length === 0 && <Text c="dimmed">{words.nobody}</Text>}
      {players && players.length > 0 && (
        <>
          <Text>{words.count(players.length)}</Text>
          <Group gap="xs">
            {players.slice(0, 20).map(({ playerId, name }) => (
              <PanelLink key={playerId} to={`/players/${encodeURIComponent(playerId)}`}>
                <bdi>{name}</bdi>
              </PanelLink>
            ))}
            {players.length > 20 && <span>…</span>}
          </Group>
        </>
      )}
    </Card>
  );
};

const FactsCard = ({ server }: OfServer) => {
  const words = useWords(serverPageWords).overview;
  const clusters = useRead(clustersHttp.list, { query: { archived: 'true' } }).data?.rows;
  const { version } = useWords(agentVersionWords);
  const agent = useLiveAgents().data?.rows.find(({ serverId }) => serverId === server.id);
  const { status, host, port } = server;
  return (
    <Card title={words.facts}>
      <Facts
        facts={[
          { label: words.game, value: games[server.game].name },
          {
            label: words.cluster,
            value: <bdi>{clusters?.find(({ id }) => id === server.clusterId)?.name ?? '…'}</bdi>,
          },
          {
            label: words.address,
            value: host === null ? words.agentOnly : <bdi>{`${host} : ${port}`}</bdi>,
          },
          {
            label: words.agent,
            value: status.agentMode ? words.agentModes[status.agentMode] : words.noAgent,
          },
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

const RecentCard = ({ server }: OfServer) => {
  const words = useWords(serverPageWords).overview;
  const recent = useRead(consoleHttp.history, { query: { serverId: server.id, limit: 5 } }).data?.rows;
  return (
    <Card
      title={words.recent}
      actions={<PanelLink to={addressOf(server, 'console')}>{words.toConsole}</PanelLink>}
    >
      {recent?.length === 0 && <Text c="dimmed">{words.noRecent}</Text>}
      {recent?.map(({ id, command, at, outcome }) => (
        <Group key={id} justify="space-between" gap="xs">
          <Text ff="monospace" size="sm" lineClamp={1}>
            <bdi>{plainText(command)}</bdi>
          </Text>
          <Group gap="xs">
            <OutcomeLabel outcome={outcome} />
            <Text size="sm" c="dimmed" component="span">
              <TimeAgo at={at} />
            </Text>
          </Group>
        </Group>
      ))}
    </Card>
  );
};
