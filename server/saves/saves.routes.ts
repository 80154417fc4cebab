import { savesHttp } from '#contracts/saves.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import { demandGranted } from '../http/refusal.ts';
import type { Saves } from './saves.ts';

export const bindSavesRoutes = (routes: ApiRoutes, saves: Saves): void => {
  routes.on(savesHttp.read, async ({ params }, { actor }) =>
    demandGranted(await saves.read(params.serverId, actor)),
  );
  routes.on(savesHttp.act, async ({ params, body }, by) =>
    demandGranted(await saves.act(params.serverId, body, readIdempotencyKey(by.request.headers), by)),
  );
  routes.on(savesHttp.cancel, async ({ params }, by) =>
    demandGranted(await saves.cancel(params.serverId, params.actId, by)),
  );
};
