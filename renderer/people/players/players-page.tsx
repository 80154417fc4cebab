import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useRoute } from 'wouter';
import type { Format } from '#contracts/kernel/format.ts';
import type { InWords } from '#contracts/kernel/words.ts';
import { playersHttp, type ServerPlayers } from '#contracts/people/players.ts';
import { recordId } from '#contracts/servers/clusters.ts';
import { games } from '#contracts/servers/games.ts';
import { usePagedRead } from '../../kit/api/queries.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { DataList } from '../../kit/lists/data-list.tsx';
import type { ListColumn } from '../../kit/lists/list-props.ts';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { NamedGameMark } from '../../servers/game-mark.tsx';
import type { Whereabouts } from '../../servers/online-players.ts';
import { useLivePlayers } from '../../servers/use-live-players.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { PlatformIdCell } from '../people/platform-id.tsx';
import { lineOf, onlineLines, type PlayerLine } from './player-line.ts';
import { PlayerPage } from './player-page.tsx';
import { playersWords } from './players.words.ts';
import { useBulkActs } from './use-bulk-acts.tsx';

/** The server that a player is on now; an unknown place is not shown as offline. */
const WhereLabel = ({
  where,
  serverName,
}: {
  readonly where: Whereabouts;
  readonly serverName: (id: string) => string;
}) => {
  const words = useWords(playersWords);
  switch (where.state) {
    case 'on':
      return where.places.map(({ serverId }) => (
        <StateLabel key={serverId} tone="ok">
          <bdi>{serverName(serverId)}</bdi>
        </StateLabel>
      ));
    case 'unknown':
      return <StateLabel tone="warn">{words.unknown}</StateLabel>;
    case 'away':
      return <StateLabel tone="idle">{words.away}</StateLabel>;
  }
};

interface PlayerColumnsOptions {
  readonly isOnlineOnly: boolean;
  readonly nameOf: (serverId: string) => string;
}

const joinedAt = ({ where }: PlayerLine): string | undefined =>
  where.state === 'on' ? where.places[0]?.joinedAt : undefined;

const usePlayerColumns = ({
  isOnlineOnly,
  nameOf,
}: PlayerColumnsOptions): readonly ListColumn<PlayerLine>[] => {
  const words = useWords(playersWords);
  const format = useFormat();
  return useMemo(
    () => playerColumns(words, format, { isOnlineOnly, nameOf }),
    [words, format, isOnlineOnly, nameOf],
  );
};

const playerColumns = (
  words: InWords<(typeof playersWords)['en']>,
  format: Format,
  { isOnlineOnly, nameOf }: PlayerColumnsOptions,
): readonly ListColumn<PlayerLine>[] => {
  const gameName = ({ game }: PlayerLine) => (game ? games[game].name : '');
  const whereText = ({ where }: PlayerLine) => {
    if (where.state === 'on') return where.places.map(({ serverId }) => nameOf(serverId)).join(', ');
    return where.state === 'unknown' ? words.unknown : words.away;
  };
  const who: readonly ListColumn<PlayerLine>[] = [
    {
      id: 'name',
      header: words.name,
      cell: ({ name }) => <bdi>{name}</bdi>,
      text: ({ name }) => name,
      width: 'minmax(6.5rem, 2fr)',
    },
    {
      id: 'where',
      header: words.where,
      cell: ({ where }) => <WhereLabel where={where} serverName={nameOf} />,
      text: whereText,
      width: 'minmax(8rem, 1fr)',
    },
    {
      id: 'platform',
      header: words.platformId,
      cell: ({ platformId }) =>
        platformId === null ? (
          <Text size="sm" c="dimmed" span>
            {words.noPlatformId}
          </Text>
        ) : (
          <PlatformIdCell platformId={platformId} />
        ),
      text: ({ platformId }) => platformId ?? '',
      width: 'minmax(10.5rem, 2fr)',
    },
    {
      id: 'game',
      header: words.game,
      cell: ({ game }) => game && <NamedGameMark game={game} />,
      text: gameName,
      width: '4.25rem',
      isMinor: true,
    },
  ];
  if (isOnlineOnly)
    return [
      ...who,
      {
        id: 'here',
        header: words.here,
        cell: (line) => {
          const at = joinedAt(line);
          return at && <TimeAgo at={at} />;
        },
        text: (line) => joinedAt(line) ?? '',
        width: '9rem',
      },
    ];
  return [
    ...who,
    {
      id: 'seen',
      header: words.lastSeen,
      cell: ({ lastSeenAt, where }) =>
        where.state === 'on' ? words.now : lastSeenAt && <TimeAgo at={lastSeenAt} />,
      text: ({ lastSeenAt }) => lastSeenAt ?? '',
      width: '9rem',
    },
    {
      id: 'played',
      header: words.playedShort,
      cell: ({ playedSeconds, where }) => {
        if (playedSeconds === null) return '–';
        // The data of online players dates from the last time their server was asked.
        return where.state === 'on' && playedSeconds < 60 ? words.justCame : format.duration(playedSeconds);
      },
      text: ({ playedSeconds }) => String(playedSeconds ?? ''),
      width: '6.75rem',
      align: 'end',
      isMinor: true,
    },
  ];
};

/** Which servers are missing in a list of online players. */
const UnknownServers = (props: {
  readonly servers: readonly ServerPlayers[];
  /** Undefined: all. */
  readonly wanted: string | undefined;
  readonly nameOf: (id: string) => string;
}) => {
  const { servers, wanted, nameOf } = props;
  const words = useWords(playersWords);
  const unknown = servers.filter(
    ({ players, serverId }) => players === null && (wanted === undefined || serverId === wanted),
  );
  if (unknown.length === 0) return null;
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={words.notKnown}
      role="status"
    >
      <List>
        {unknown.map(({ serverId, asOf }) => (
          <List.Item key={serverId}>
            <bdi>{nameOf(serverId)}</bdi> ({words.since}: {asOf ? <TimeAgo at={asOf} /> : words.notYet})
          </List.Item>
        ))}
      </List>
    </Alert>
  );
};

const playerId = ({ id }: PlayerLine) => id;
/** A player who is on two servers has two lines. */
const placeId = ({ id, where }: PlayerLine) =>
  where.state === 'on' ? `${id} ${where.places[0]?.serverId}` : id;

/** The API's limit. */
const longestText = 100;

const PlayersList = () => {
  const words = useWords(playersWords);
  const { values } = useSearchState();
  const { servers, nameOf } = useServerNames();
  const live = useLivePlayers();
  const isOnlineOnly = values.online === 'true';
  const text = (values.q ?? '').trim().slice(0, longestText).trim();
  // Also an archived server, or an unknown one: the list never shows more than its address asks for.
  const serverId = recordId.safeParse(values.server).data;
  const isListed = serverId === undefined || servers.some(({ id }) => id === serverId);
  const offered = [...servers.map(({ id }) => id), ...(isListed ? [] : [serverId])];
  const query = { ...(text !== '' && { text }), ...(serverId !== undefined && { serverId }) };
  const paged = usePagedRead(playersHttp.search, { query }, { enabled: !isOnlineOnly });
  const columns = usePlayerColumns({ isOnlineOnly, nameOf });
  const { bulk, dialog } = useBulkActs(servers);

  const rows = useMemo(
    () =>
      isOnlineOnly
        ? onlineLines(live.servers ?? [], servers, { text, serverId })
        : paged.rows.map((player) => lineOf(player, live.whereIs(player))),
    [isOnlineOnly, live, servers, text, serverId, paged.rows],
  );
  const isKnown = isOnlineOnly ? live.servers !== null : !paged.isPending;
  const error = isOnlineOnly ? live.error : paged.error;
  const list = (
    <DataList
      name="players"
      label={words.title}
      rows={rows}
      rowId={isOnlineOnly ? placeId : playerId}
      columns={columns}
      search="api"
      filters={[
        {
          id: 'online',
          label: words.online,
          options: [{ value: 'true', label: words.onlineOnly }],
        },
        {
          id: 'server',
          label: words.server,
          options: offered.map((id) => ({ value: id, label: nameOf(id) })),
        },
      ]}
      rowTo={({ id }) => `/players/${id}`}
      {...(bulk && { bulk })}
      {...(!isOnlineOnly && { more: paged })}
      empty={
        isOnlineOnly ? (
          <EmptyState title={words.noPlayersOnline} text={words.noPlayersText} />
        ) : (
          <EmptyState title={words.empty} text={words.emptyText} />
        )
      }
    />
  );
  return (
    <Frame title={words.title} description={<Text size="sm">{words.description}</Text>}>
      {isOnlineOnly && <UnknownServers servers={live.servers ?? []} wanted={serverId} nameOf={nameOf} />}
      {error && rows.length === 0 && <Trouble error={error} onRetry={paged.reload} />}
      {isKnown || error ? list : <Loading />}
      {dialog}
    </Frame>
  );
};

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string; tab?: string }>('/players/:id/:tab?');
  return isOne ? <PlayerPage key={params.id} id={params.id} tab={params.tab ?? ''} /> : <PlayersList />;
};
