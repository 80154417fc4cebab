import { clustersHttp } from '#contracts/clusters.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { demandGranted } from '../http/refusal.ts';
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
  routes.on(clustersHttp.create, async ({ body }, by) => demandGranted(await clusters.create(body, by)));
  routes.on(clustersHttp.change, async ({ params, body }, by) =>
    demandGranted(await clusters.change(params.id, body, by)),
  );
  routes.on(clustersHttp.archive, async ({ params }, by) =>
    demandGranted(await clusters.archive(params.id, by)),
  );
  routes.on(clustersHttp.restore, async ({ params }, by) =>
    demandGranted(await clusters.restore(params.id, by)),
  );
};
