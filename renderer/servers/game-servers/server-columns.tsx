import { Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Format } from '#contracts/kernel/format.ts';
import type { InWords } from '#contracts/kernel/words.ts';
import type { Cluster } from '#contracts/servers/clusters.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { games } from '#contracts/servers/games.ts';
import { Sparkline } from '../../kit/charts/sparkline.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import type { ListColumn } from '../../kit/lists/list-props.ts';
import { timeColumn } from '../../kit/lists/time-column.tsx';
import { GameMark } from '../game-mark.tsx';
import { ServerState } from './server-state.tsx';
import { serverStateWords } from './server-state.words.ts';
import { serversWords } from './servers.words.ts';
import { useServerDay } from './use-server-day.ts';

export const useServerColumns = (clusters: readonly Cluster[]): readonly ListColumn<GameServer>[] => {
  const words = useWords(serversWords);
  const { states } = useWords(serverStateWords);
  const format = useFormat();
  const days = useServerDay();
  return useMemo(
    () => serverColumns(words, states, format, clusters, days),
    [words, states, format, clusters, days],
  );
};

const serverColumns = (
  words: InWords<(typeof serversWords)['en']>,
  states: InWords<(typeof serverStateWords)['en']>['states'],
  format: Format,
  clusters: readonly Cluster[],
  days: ReadonlyMap<string, readonly (number | null)[]>,
): readonly ListColumn<GameServer>[] => {
  const clusterOf = ({ clusterId }: GameServer) =>
    clusters.find(({ id }) => id === clusterId)?.name ?? words.unknownCluster;
  const stateOf = ({ archivedAt, status }: GameServer) =>
    archivedAt ? words.archived : states[status.shown];
  const viaOf = ({ status }: GameServer) => words.viaShort[status.via ?? 'none'];
  const playersOf = ({ archivedAt, status }: GameServer) => (archivedAt ? null : status.players);
  const notKnown = (
    <Text span c="dimmed" size="sm">
      {words.notKnown}
    </Text>
  );
  return [
    {
      id: 'name',
      header: words.name,
      cell: ({ name, game }) => (
        <Group gap="xs" wrap="nowrap">
          <GameMark game={game} />
          <Text component="bdi" inherit truncate>
            {name}
          </Text>
        </Group>
      ),
      sortBy: ({ name }) => name,
      text: ({ name }) => name,
      width: 'minmax(10rem, 3fr)',
    },
    {
      id: 'state',
      header: words.state,
      cell: (server) => <ServerState server={server} />,
      sortBy: stateOf,
      text: stateOf,
      width: '8.5rem',
    },
    {
      id: 'players',
      header: words.players,
      cell: (server) => {
        const players = playersOf(server);
        return players === null ? <span title={words.notKnown}>–</span> : format.number(players);
      },
      sortBy: playersOf,
      text: (server) => String(playersOf(server) ?? ''),
      width: '5.5rem',
      align: 'end',
    },
    {
      id: 'day',
      header: words.day,
      // Its numbers are in the previous column, and its history is on the page of the server.
      cell: ({ id, archivedAt }) => !archivedAt && <Sparkline values={days.get(id) ?? []} />,
      width: '7.5rem',
      isMinor: true,
    },
    timeColumn({
      id: 'since',
      header: words.since,
      at: ({ status }) => status.since,
      none: notKnown,
      isSortable: true,
      width: '8.5rem',
      isMinor: true,
    }),
    {
      id: 'game',
      header: words.game,
      cell: ({ game }) => games[game].name,
      sortBy: ({ game }) => games[game].name,
      text: ({ game }) => games[game].name,
      width: 'minmax(7.5rem, 1.5fr)',
    },
    {
      id: 'cluster',
      header: words.cluster,
      cell: (server) => <bdi>{clusterOf(server)}</bdi>,
      sortBy: clusterOf,
      text: clusterOf,
      width: 'minmax(5rem, 1fr)',
      isMinor: true,
    },
    {
      id: 'via',
      header: words.reached,
      cell: viaOf,
      sortBy: viaOf,
      text: viaOf,
      width: 'minmax(6rem, 1fr)',
      isMinor: true,
    },
  ];
};
