import { type GameServerStatus, gameServersHttp } from '#contracts/servers/game-servers.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted, type Refusal } from '../../kernel/http/refusal.ts';
import type { ConnectionTest } from './connection-test.ts';
import type { StoredGameServer } from './game-server-rows.ts';
import type { GameServers } from './game-servers.ts';

export const bindGameServersRoutes = (
  routes: ApiRoutes,
  options: {
    readonly gameServers: GameServers;
    readonly testConnection: ConnectionTest;
    readonly statusOf: (serverId: string) => GameServerStatus;
    /** Called after a change, so that the directory sees it before the caller does. */
    readonly onChanged: () => Promise<void>;
  },
): void => {
  const { gameServers, testConnection, statusOf, onChanged } = options;
  const withStatus = (server: StoredGameServer) => ({ ...server, status: statusOf(server.id) });
  const changed = async (result: StoredGameServer | Refusal) => {
    const server = demandGranted(result);
    await onChanged();
    return withStatus(server);
  };

  routes.on(gameServersHttp.list, async ({ query }, { actor }) => {
    const filter = { archived: query.archived === 'true', clusterId: query.clusterId };
    return { rows: (await gameServers.list(filter, actor)).map(withStatus) };
  });
  routes.on(gameServersHttp.read, async ({ params }, { actor }) =>
    withStatus(demandGranted(await gameServers.read(params.id, actor))),
  );
  routes.on(gameServersHttp.create, async ({ body }, by) => changed(await gameServers.create(body, by)));
  routes.on(gameServersHttp.testConnection, ({ body }, { actor }) => testConnection(body, actor));
  routes.on(gameServersHttp.change, async ({ params, body }, by) =>
    changed(await gameServers.change(params.id, body, by)),
  );
  routes.on(gameServersHttp.archive, async ({ params }, by) =>
    changed(await gameServers.archive(params.id, by)),
  );
  routes.on(gameServersHttp.restore, async ({ params }, by) =>
    changed(await gameServers.restore(params.id, by)),
  );
};
