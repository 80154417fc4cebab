import { rolesHttp } from '#contracts/identity/roles.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { IdentityContext } from '../identity-context.ts';
import { changeRole, createRole, listRoles, removeRole } from './roles.ts';

export const bindRolesRoutes = (
  routes: ApiRoutes,
  { db, changes }: Pick<IdentityContext, 'db' | 'changes'>,
): void => {
  routes.on(rolesHttp.list, async () => ({ rows: await listRoles(db) }));
  routes.on(rolesHttp.create, ({ body }, by) => createRole(db, body, by));
  routes.on(rolesHttp.change, async ({ params, body }, by) => {
    const role = demandGranted(await changeRole(db, params.id, body, by));
    changes.announce();
    return role;
  });
  routes.on(rolesHttp.remove, async ({ params }, by) => {
    demandGranted(await removeRole(db, params.id, by));
    return {};
  });
};
