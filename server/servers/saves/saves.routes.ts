import { savesHttp } from '#contracts/servers/saves.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { readIdempotencyKey } from '../../kernel/http/idempotency-key.ts';
import type { Saves } from './saves.ts';

export const bindSavesRoutes = (routes: ApiRoutes, saves: Saves): void => {
  routes.on(savesHttp.read, ({ params }, { actor }) => saves.read(params.serverId, actor));
  routes.on(savesHttp.act, ({ params, body }, by) =>
    saves.act(params.serverId, body, readIdempotencyKey(by.request.headers), by),
  );
  routes.on(savesHttp.run, ({ params, body }, by) =>
    saves.run(params.serverId, body, readIdempotencyKey(by.request.headers), by),
  );
  routes.on(savesHttp.schedule, ({ params, body }, by) => saves.schedule(params.serverId, body, by));
  routes.on(savesHttp.cancel, ({ params }, by) => saves.cancel(params.serverId, params.actId, by));
};
