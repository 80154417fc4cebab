import { Alert, List } from '@mantine/core';
import { useMemo, useState } from 'react';
import { type Cluster, clustersHttp } from '#contracts/servers/clusters.ts';
import {
  type GameServer,
  gameServersHttp,
  type ShownState,
  shownStates,
} from '#contracts/servers/game-servers.ts';
import { gameIds, games } from '#contracts/servers/games.ts';
import { useCan } from '../kit/access/access-state.ts';
import { useRead } from '../kit/api/queries.ts';
import { sendChange } from '../kit/api/send-change.ts';
import { AddButton } from '../kit/design/add-button.tsx';
import { AsyncContent } from '../kit/design/async-content.tsx';
import { EmptyState } from '../kit/design/empty-state.tsx';
import { Loading } from '../kit/design/loading.tsx';
import { Page as Frame } from '../kit/design/page.tsx';
import { PanelLink } from '../kit/design/panel-link.tsx';
import { Together } from '../kit/design/together.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { DataList } from '../kit/lists/data-list.tsx';
import type { BulkAction, ListFilter } from '../kit/lists/list-props.ts';
import { useSearchState } from '../kit/routing/use-search-state.ts';
import { MultiServerDialog, type MultiServerKind } from './game-servers/multi-server-dialog.tsx';
import { NewServerDialog } from './game-servers/new-server-dialog.tsx';
import { useServerColumns } from './game-servers/server-columns.tsx';
import { serverStateWords } from './game-servers/server-state.words.ts';
import { serversWords } from './game-servers/servers.words.ts';
import { useLiveStatuses } from './game-servers/use-live-statuses.ts';
import { powerWords } from './power/power.words.ts';
import { beginPower } from './power/use-power.ts';
import { chatTrustWords } from './settings/chat-trust.words.ts';
import { useChatTrusts } from './settings/use-chat-trusts.ts';

/** Lists the servers whose trust no one has checked since an update gave it, or whose trust a change ended. */
const ChatTrustNotice = ({ servers }: { readonly servers: readonly GameServer[] }) => {
  const words = useWords(chatTrustWords);
  const { data } = useChatTrusts('members.write');
  const listed = (data?.rows ?? []).flatMap(({ serverId, isUnreviewed, endedBy }) => {
    const server = servers.find(({ id }) => id === serverId);
    const why = endedBy ? words.ended[endedBy] : words.notice.unreviewed;
    return server && (isUnreviewed || endedBy) ? [{ server, why }] : [];
  });
  if (listed.length === 0) return null;
  return (
    <Alert color="var(--tone-warn)" variant="outline" title={words.notice.title}>
      <List>
        {listed.map(({ server, why }) => (
          <List.Item key={server.id}>
            <PanelLink to={`/servers/${encodeURIComponent(server.id)}/settings`}>{server.name}</PanelLink> ·{' '}
            {why}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
};

const noClusters: readonly Cluster[] = [];
const rowId = ({ id }: GameServer) => id;
const search = ({ id, name, host, game }: GameServer) => `${name} ${host ?? ''} ${games[game].name} ${id}`;

/** States with the same name are selected together. */
const states = shownStates.filter((state) => state !== 'lost');
const isShownAs = (shown: ShownState, value: string) => (shown === 'lost' ? 'unknown' : shown) === value;
interface ManyOpen {
  readonly kind: MultiServerKind;
  readonly chosen: readonly GameServer[];
  readonly onDone: () => void;
}
/** In the address, as `new`: opens the form for a new server. */
const newServer = 'server';

export const ServerList = () => {
  useLiveStatuses();
  const words = useWords(serversWords);
  const stateWords = useWords(serverStateWords);
  const power = useWords(powerWords);
  const can = useCan();
  const { values, set } = useSearchState();
  const [open, setOpen] = useState<ManyOpen | null>(null);
  const archived = values.archived === 'true' ? 'true' : 'false';
  const servers = useRead(gameServersHttp.list, { query: { archived } });
  const clustersRead = useRead(clustersHttp.list, { query: { archived: 'true' } });
  const clusters = clustersRead.data?.rows ?? noClusters;
  const columns = useServerColumns(clusters);

  const filters = useMemo(
    (): readonly ListFilter<GameServer>[] => [
      {
        id: 'state',
        label: words.state,
        options: states.map((value) => ({ value, label: stateWords.states[value] })),
        matches: ({ archivedAt, status }, value) => !archivedAt && isShownAs(status.shown, value),
      },
      {
        id: 'game',
        label: words.game,
        options: gameIds.map((value) => ({ value, label: games[value].name })),
        matches: ({ game }, value) => game === value,
      },
      {
        id: 'cluster',
        label: words.cluster,
        options: clusters.map(({ id, name }) => ({ value: id, label: name })),
        matches: ({ clusterId }, value) => clusterId === value,
      },
      { id: 'archived', label: words.archiveFilter, options: [{ value: 'true', label: words.withArchived }] },
    ],
    [words, stateWords, clusters],
  );

  const isNewWanted = values.new === newServer;
  const mayCreate = can('servers.write');
  const create = mayCreate && <AddButton onClick={() => set({ new: newServer })}>{words.create}</AddButton>;
  const powerQuestions = { start: null, stop: power.stopMany, restart: power.restartMany } as const;
  const inUse = ({ archivedAt }: GameServer) => archivedAt === null;
  const nameOf = ({ name }: GameServer) => name;
  const mayPower = (row: GameServer) =>
    inUse(row) && row.status.process !== null && can('servers.power', row.id);
  const powerActs = (['start', 'stop', 'restart'] as const).map((action): BulkAction<GameServer> => {
    const question = powerQuestions[action];
    return {
      label: power.acts[action],
      ...(question && { question: (chosen: readonly GameServer[]) => question(chosen.length) }),
      isDestructive: action === 'stop',
      isFor: mayPower,
      run: ({ id }) => beginPower(id, action, undefined),
      nameOf,
    };
  });
  const bulk: readonly BulkAction<GameServer>[] = [
    ...(can.somewhere('players.write')
      ? [
          {
            label: words.broadcast,
            isFor: (row: GameServer) => inUse(row) && can('players.write', row.id),
            opens: (chosen: readonly GameServer[], onDone: () => void) =>
              setOpen({ kind: 'broadcast', chosen, onDone }),
            nameOf,
          },
        ]
      : []),
    ...(can.somewhere('console.write')
      ? [
          {
            label: words.runCommand,
            isFor: (row: GameServer) => inUse(row) && can('console.write', row.id),
            opens: (chosen: readonly GameServer[], onDone: () => void) =>
              setOpen({ kind: 'command', chosen, onDone }),
            nameOf,
          },
        ]
      : []),
    ...(can.somewhere('servers.power') ? powerActs : []),
    ...(can.somewhere('servers.write')
      ? [
          {
            label: words.archive,
            isDestructive: true,
            question: (chosen: readonly GameServer[]) => words.archiveMany(chosen.length),
            isFor: (row: GameServer) => inUse(row) && can('servers.write', row.id),
            run: ({ id }: GameServer) => sendChange(gameServersHttp.archive, { params: { id } }),
            nameOf,
          },
          {
            label: words.restore,
            isFor: (row: GameServer) => !inUse(row) && can('servers.write', row.id),
            run: ({ id }: GameServer) => sendChange(gameServersHttp.restore, { params: { id } }),
            nameOf,
          },
        ]
      : []),
  ];
  return (
    <Frame title={words.title} description={words.description} actions={create}>
      {isNewWanted && !mayCreate && (
        <Alert color="var(--tone-warn)" variant="outline" role="status">
          {words.mayNotCreate}
        </Alert>
      )}
      <Together loading={<Loading shape="list" />} reads={[servers]}>
        {servers.data && <ChatTrustNotice servers={servers.data.rows} />}
        <AsyncContent read={servers} loading={<Loading shape="list" />}>
          {({ rows }) => (
            <DataList
              name="servers"
              label={words.title}
              rows={rows}
              rowId={rowId}
              rowTo={({ id }) => `/servers/${encodeURIComponent(id)}`}
              search={search}
              columns={columns}
              filters={filters}
              bulk={bulk}
              empty={<EmptyState title={words.empty} text={words.emptyText} action={create} />}
            />
          )}
        </AsyncContent>
      </Together>
      {isNewWanted && mayCreate && (clustersRead.data || clustersRead.error) && (
        <NewServerDialog clusters={clusters} onClose={() => set({ new: '' })} />
      )}
      {open && <MultiServerDialog {...open} onClose={() => setOpen(null)} />}
    </Frame>
  );
};
