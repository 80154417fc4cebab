import { componentLogsHttp } from '#contracts/operations/component-logs.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { ComponentLogs } from './component-logs.ts';

export const bindComponentLogsRoutes = (routes: ApiRoutes, logs: ComponentLogs): void => {
  routes.on(componentLogsHttp.usage, () => logs.usage());
  routes.on(componentLogsHttp.search, ({ params, query }) => logs.search(params.component, query));
  routes.on(componentLogsHttp.download, ({ params }) => logs.download(params.component));
};
