import { modsHttp } from '#contracts/mods-http.ts';
import type { ApiRoutes } from '../../access/authorize.ts';
import { readIdempotencyKey } from '../../http/idempotency-key.ts';
import { demandGranted } from '../../http/refusal.ts';
import type { Waves } from './waves.ts';

export const bindWavesRoutes = (routes: ApiRoutes, waves: Waves): void => {
  routes.on(modsHttp.waves, ({ query }, { actor }) => waves.page(query, actor));
  routes.on(modsHttp.beginWave, async ({ body }, by) =>
    demandGranted(await waves.begin(body, readIdempotencyKey(by.request.headers), by)),
  );
  routes.on(modsHttp.cancelWave, async ({ params }, by) => demandGranted(await waves.cancel(params.id, by)));
};
