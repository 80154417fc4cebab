import { modsHttp } from '#contracts/mods-http.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import { demandGranted } from '../http/refusal.ts';
import type { ModUploads } from './mod-uploads.ts';
import type { Mods } from './mods.ts';

export const bindModsRoutes = (routes: ApiRoutes, mods: Mods, uploads: ModUploads): void => {
  routes.on(modsHttp.read, async ({ params }, { actor }) =>
    demandGranted(await mods.read(params.serverId, actor)),
  );
  routes.on(modsHttp.plan, async ({ params, body }, by) =>
    demandGranted(await mods.plan(params.serverId, body.wishes, by)),
  );
  routes.on(modsHttp.begin, async ({ params, body }, by) => {
    const key = readIdempotencyKey(by.request.headers);
    return demandGranted(await mods.begin(params.serverId, body, { key, wave: null }, by));
  });
  routes.on(modsHttp.jobs, async ({ params, query }, { actor }) =>
    demandGranted(await mods.page(params.serverId, query, actor)),
  );
  routes.on(modsHttp.cancel, async ({ params }, by) =>
    demandGranted(await mods.cancel(params.serverId, params.jobId, by)),
  );
  routes.on(modsHttp.pin, async ({ params, body }, by) =>
    demandGranted(await mods.pin(params.serverId, params.key, body, by)),
  );
  routes.on(modsHttp.unpin, async ({ params }, by) => {
    demandGranted(await mods.unpin(params.serverId, params.key, by));
    return {};
  });
  routes.on(modsHttp.beginUpload, async ({ params, body }, by) =>
    demandGranted(await uploads.begin(params.serverId, body, by)),
  );
  routes.on(modsHttp.uploadPart, async ({ params, query, body }, by) =>
    demandGranted(await uploads.take(params.serverId, params.upload, query.from, body, by)),
  );
};
