import { powerHttp } from '#contracts/servers/power.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { readIdempotencyKey } from '../../kernel/http/idempotency-key.ts';
import type { Power } from './power.ts';

export const bindPowerRoutes = (routes: ApiRoutes, power: Power): void => {
  routes.on(powerHttp.read, ({ params }, { actor }) => power.read(params.serverId, actor));
  routes.on(powerHttp.act, ({ params, body }, by) =>
    power.act(params.serverId, body, readIdempotencyKey(by.request.headers), by),
  );
  routes.on(powerHttp.cancel, ({ params }, by) => power.cancel(params.serverId, params.actId, by));
};
