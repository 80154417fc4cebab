import { seasonsHttp } from '#contracts/store/seasons.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { Seasons } from './seasons.ts';

export const bindSeasonsRoutes = (routes: ApiRoutes, seasons: Seasons): void => {
  routes.on(seasonsHttp.list, ({ query }) => seasons.list(query));
  routes.on(seasonsHttp.preview, ({ body }) => seasons.preview(body));
  routes.on(seasonsHttp.read, ({ params }) => seasons.read(params.id));
  routes.on(seasonsHttp.begin, ({ body }, by) => seasons.begin(body, by));
  routes.on(seasonsHttp.previewUndo, ({ params }) => seasons.previewUndo(params.id));
  routes.on(seasonsHttp.undo, ({ params }, by) => seasons.undo(params.id, by));
};
