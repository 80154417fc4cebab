import { powerHttp } from '#contracts/power.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import { demandGranted } from '../http/refusal.ts';
import type { Power } from './power.ts';

export const bindPowerRoutes = (routes: ApiRoutes, power: Power): void => {
  routes.on(powerHttp.read, async ({ params }, { actor }) =>
    demandGranted(await power.read(params.serverId, actor)),
  );
  routes.on(powerHttp.act, async ({ params, body }, by) =>
    demandGranted(await power.act(params.serverId, body, readIdempotencyKey(by.request.headers), by)),
  );
  routes.on(powerHttp.cancel, async ({ params }, by) =>
    demandGranted(await power.cancel(params.serverId, params.actId, by)),
  );
};
