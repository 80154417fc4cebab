import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo } from 'react';
import { playersHttp, type ServerPlayers } from '#contracts/people/players.ts';
import { recordId } from '#contracts/servers/clusters.ts';
import { usePagedRead } from '../../kit/api/queries.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { DataList } from '../../kit/lists/data-list.tsx';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { useLivePlayers } from '../../servers/use-live-players.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { lineOf, onlineLines, type PlayerLine } from './player-line.ts';
import { playersWords } from './players.words.ts';
import { useBulkActs } from './use-bulk-acts.tsx';
import { usePlayerColumns } from './use-player-columns.tsx';

interface UnknownServersProps {
  readonly servers: readonly ServerPlayers[];
  /** Undefined: all. */
  readonly wanted: string | undefined;
  readonly nameOf: (id: string) => string;
}

/** Which servers are missing in a list of online players. */
const UnknownServers = ({ servers, wanted, nameOf }: UnknownServersProps) => {
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

export const PlayersList = () => {
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
