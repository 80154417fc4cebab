import type { EndpointResponse } from '#contracts/kernel/http.ts';
import type { ServerMessage } from '#contracts/kernel/live.ts';
import { type GameServer, type GameServerStatus, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useLive } from '../../kit/api/live.ts';
import { queryClient, readKey } from '../../kit/api/queries.ts';

type List = EndpointResponse<typeof gameServersHttp.list>;
type Told = Extract<ServerMessage, { type: 'servers' }>['servers'];

const withStatus = (server: GameServer, byId: ReadonlyMap<string, GameServerStatus>): GameServer => {
  const status = server.archivedAt ? undefined : byId.get(server.id);
  return status ? { ...server, status } : server;
};

const apply = (told: Told): void => {
  const byId = new Map(told.map(({ serverId, status }) => [serverId, status]));
  const listKey = readKey(gameServersHttp.list);
  queryClient.setQueriesData<List>(
    { queryKey: listKey },
    (list) => list && { rows: list.rows.map((server) => withStatus(server, byId)) },
  );
  queryClient.setQueriesData<GameServer>(
    { queryKey: readKey(gameServersHttp.read) },
    (server) => server && withStatus(server, byId),
  );
  const lists = queryClient.getQueriesData<List>({ queryKey: listKey });
  const isNew = (id: string) => lists.some(([, list]) => list && !list.rows.some((row) => row.id === id));
  // A server that was added or restored in the meantime.
  if ([...byId.keys()].some(isNew)) void queryClient.invalidateQueries({ queryKey: listKey });
};

/** Keeps the status of every server that was read up to date live, in every list that contains it. */
export const useLiveStatuses = (isWanted = true): void =>
  useLive(isWanted ? { topic: 'servers' } : null, (message) => {
    if (message.type === 'servers') apply(message.servers);
  });
