import { serverFiguresHttp } from '#contracts/servers/server-figures.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { ServerFigures } from './server-figures.ts';

export const bindServerFiguresRoutes = (
  routes: ApiRoutes,
  figures: Pick<ServerFigures, 'read' | 'day'>,
): void => {
  routes.on(serverFiguresHttp.read, ({ params, query }, { actor }) =>
    figures.read(params.serverId, query.span, actor),
  );
  routes.on(serverFiguresHttp.day, (_, { actor }) => figures.day(actor));
};
