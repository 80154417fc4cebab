import { playersHttp } from '#contracts/people/players.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { ModerationActions } from './moderation-actions.ts';
import type { PlayerReading } from './player-reading.ts';

export const bindPlayersRoutes = (
  routes: ApiRoutes,
  reading: PlayerReading,
  orders: ModerationActions,
): void => {
  routes.on(playersHttp.online, ({ query }, { actor }) => ({ rows: reading.online(actor, query.serverId) }));
  routes.on(playersHttp.search, ({ query }, { actor }) => reading.search(actor, query));
  routes.on(playersHttp.read, ({ params }, { actor }) => reading.read(actor, params.id));
  routes.on(playersHttp.sessions, ({ params, query }, { actor }) =>
    reading.sessions(actor, params.id, query),
  );
  routes.on(playersHttp.act, ({ params, body }, by) => orders.order(params.id, body, by));
  routes.on(playersHttp.broadcast, ({ params, body }, by) => orders.broadcast(params.id, body.text, by));
};
