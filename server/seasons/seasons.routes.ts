import { seasonsHttp } from '#contracts/seasons.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { demandGranted } from '../http/refusal.ts';
import type { Seasons } from './seasons.ts';

export const bindSeasonsRoutes = (routes: ApiRoutes, seasons: Seasons): void => {
  routes.on(seasonsHttp.list, ({ query }) => seasons.list(query));
  routes.on(seasonsHttp.preview, async ({ body }) => demandGranted(await seasons.preview(body)));
  routes.on(seasonsHttp.read, async ({ params }) => demandGranted(await seasons.read(params.id)));
  routes.on(seasonsHttp.begin, async ({ body }, by) => demandGranted(await seasons.begin(body, by)));
  routes.on(seasonsHttp.previewUndo, async ({ params }) =>
    demandGranted(await seasons.previewUndo(params.id)),
  );
  routes.on(seasonsHttp.undo, async ({ params }, by) => demandGranted(await seasons.undo(params.id, by)));
};
