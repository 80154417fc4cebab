import { modsHttp } from '#contracts/mods/mods-http.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { readIdempotencyKey } from '../../kernel/http/idempotency-key.ts';
import type { Waves } from './waves.ts';

export const bindWavesRoutes = (routes: ApiRoutes, waves: Waves): void => {
  routes.on(modsHttp.waves, ({ query }, { actor }) => waves.page(query, actor));
  routes.on(modsHttp.beginWave, ({ body }, by) =>
    waves.begin(body, readIdempotencyKey(by.request.headers), by),
  );
  routes.on(modsHttp.cancelWave, ({ params }, by) => waves.cancel(params.id, by));
};
