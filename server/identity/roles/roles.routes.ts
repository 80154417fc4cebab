import { rolesHttp } from '#contracts/identity/roles.ts';
import type { AccessChanges } from '../../kernel/access/access-changes.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
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
