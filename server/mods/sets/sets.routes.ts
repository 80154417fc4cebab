import { modsHttp } from '#contracts/mods/mods-http.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { ModSets } from './sets.ts';

export const bindModSetsRoutes = (routes: ApiRoutes, sets: ModSets): void => {
  routes.on(modsHttp.sets, async (_input, { actor }) => ({ rows: demandGranted(await sets.list(actor)) }));
  routes.on(modsHttp.createSet, ({ body }, by) => sets.create(body, by));
  routes.on(modsHttp.changeSet, ({ params, body }, by) => sets.change(params.id, body, by));
  routes.on(modsHttp.deleteSet, async ({ params }, by) => {
    demandGranted(await sets.remove(params.id, by));
    return {};
  });
};
