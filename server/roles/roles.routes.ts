import { rolesHttp } from '#contracts/roles.ts';
import type { AccessChanges } from '../access/access-changes.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { demandGranted } from '../http/refusal.ts';
import type { Roles } from './roles.ts';

export const bindRolesRoutes = (routes: ApiRoutes, roles: Roles, changes: AccessChanges): void => {
  routes.on(rolesHttp.list, async () => ({ rows: await roles.list() }));
  routes.on(rolesHttp.create, ({ body }, by) => roles.create(body, by));
  routes.on(rolesHttp.change, async ({ params, body }, by) => {
    const role = demandGranted(await roles.change(params.id, body, by));
    changes.announce();
    return role;
  });
  routes.on(rolesHttp.remove, async ({ params }, by) => {
    demandGranted(await roles.remove(params.id, by));
    return {};
  });
};
