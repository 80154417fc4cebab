import { clustersHttp } from '#contracts/servers/clusters.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { Clusters } from './clusters.ts';

export const bindClustersRoutes = (
  routes: ApiRoutes,
  clusters: Clusters,
  maxClusters: () => number | null,
): void => {
  routes.on(clustersHttp.list, async ({ query }) => ({
    rows: await clusters.list({ archived: query.archived === 'true' }),
    maxClusters: maxClusters(),
  }));
  routes.on(clustersHttp.create, ({ body }, by) => clusters.create(body, by));
  routes.on(clustersHttp.change, ({ params, body }, by) => clusters.change(params.id, body, by));
  routes.on(clustersHttp.archive, ({ params }, by) => clusters.archive(params.id, by));
  routes.on(clustersHttp.restore, ({ params }, by) => clusters.restore(params.id, by));
};
