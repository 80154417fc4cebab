import { modsHttp } from '#contracts/mods/mods-http.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { readIdempotencyKey } from '../../kernel/http/idempotency-key.ts';
import type { ModUploads } from '../uploads/mod-uploads.ts';
import type { ModChanges } from './mod-changes.ts';

export const bindModsRoutes = (routes: ApiRoutes, mods: ModChanges, uploads: ModUploads): void => {
  routes.on(modsHttp.read, ({ params }, { actor }) => mods.read(params.serverId, actor));
  routes.on(modsHttp.plan, ({ params, body }, by) => mods.plan(params.serverId, body.wishes, by));
  routes.on(modsHttp.begin, async ({ params, body }, by) => {
    const key = readIdempotencyKey(by.request.headers);
    return mods.begin(params.serverId, body, { key, wave: null }, by);
  });
  routes.on(modsHttp.jobs, ({ params, query }, { actor }) => mods.page(params.serverId, query, actor));
  routes.on(modsHttp.cancel, ({ params }, by) => mods.cancel(params.serverId, params.jobId, by));
  routes.on(modsHttp.pin, ({ params, body }, by) => mods.pin(params.serverId, params.key, body, by));
  routes.on(
    modsHttp.unpin,
    async ({ params }, by) => (await mods.unpin(params.serverId, params.key, by)) ?? {},
  );
  routes.on(modsHttp.beginUpload, ({ params, body }, by) => uploads.begin(params.serverId, body, by));
  routes.on(modsHttp.uploadPart, ({ params, query, body }, by) =>
    uploads.take(params.serverId, params.upload, query.from, body, by),
  );
  routes.on(
    modsHttp.cancelUpload,
    async ({ params }, by) => (await uploads.cancel(params.serverId, params.upload, by)) ?? {},
  );
};
