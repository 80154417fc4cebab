import { useQueryClient } from '@tanstack/react-query';
import { type GameServer, type GameServerStatus, gameServersHttp } from '#contracts/game-servers.ts';
import type { EndpointResponse } from '#contracts/http.ts';
import { useLive } from '../../wire/live.ts';
import { readKey } from '../../wire/queries.ts';

type List = EndpointResponse<typeof gameServersHttp.list>;

const withStatus = (server: GameServer, byId: ReadonlyMap<string, GameServerStatus>): GameServer => {
  const status = server.archivedAt ? undefined : byId.get(server.id);
  return status ? { ...server, status } : server;
};

/** Keeps the status of every server that was read as the API tells it now. */
export const useLiveServers = (): void => {
  const client = useQueryClient();
  useLive({ topic: 'servers' }, (message) => {
    if (message.type !== 'servers') return;
    const byId = new Map(message.servers.map(({ serverId, status }) => [serverId, status]));
    const listKey = readKey(gameServersHttp.list);
    client.setQueriesData<List>(
      { queryKey: listKey },
      (list) => list && { rows: list.rows.map((server) => withStatus(server, byId)) },
    );
    client.setQueriesData<GameServer>(
      { queryKey: readKey(gameServersHttp.read) },
      (server) => server && withStatus(server, byId),
    );
    const lists = client.getQueriesData<List>({ queryKey: listKey });
    const isNew = (id: string) => lists.some(([, list]) => list && !list.rows.some((row) => row.id === id));
    if ([...byId.keys()].some(isNew)) void client.invalidateQueries({ queryKey: listKey });
  });
};
