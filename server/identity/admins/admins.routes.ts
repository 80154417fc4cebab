import { type Admin, adminsHttp } from '#contracts/identity/admins.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted, type Refusal } from '../../kernel/http/refusal.ts';
import type { IdentityContext } from '../identity-context.ts';
import { listSessions } from '../sessions/sessions.ts';
import {
  type ChangedAdmin,
  changeAdmin,
  createAdmin,
  listAdmins,
  removeAdmin,
  resetPassword,
  signOutAdmin,
} from './admins.ts';
import { withdrawSetupLink } from './setup-link.ts';

export const bindAdminsRoutes = (routes: ApiRoutes, context: IdentityContext): void => {
  const { db, changes, keysInUse } = context;
  const changed = async (result: ChangedAdmin | Refusal): Promise<Admin> => {
    const { admin, endedKeys } = demandGranted(result);
    changes.announce();
    await keysInUse.ended(endedKeys);
    return admin;
  };

  routes.on(adminsHttp.list, async () => ({ rows: await listAdmins(db) }));
  routes.on(adminsHttp.create, async ({ body }, by) => {
    const admin = demandGranted(await createAdmin(context, body, by));
    // It may be the first owner.
    await withdrawSetupLink(context);
    return admin;
  });
  routes.on(adminsHttp.change, async ({ params, body }, by) =>
    changed(await changeAdmin(context, params.id, body, by)),
  );
  routes.on(adminsHttp.remove, async ({ params }, by) => {
    await changed(await removeAdmin(db, params.id, by));
    return {};
  });
  routes.on(adminsHttp.resetPassword, async ({ params, body }, by) =>
    changed(await resetPassword(context, params.id, body, by)),
  );
  routes.on(adminsHttp.sessions, async ({ params }, { actor }) => ({
    rows: await listSessions(db, params.id, actor.sessionId),
  }));
  routes.on(adminsHttp.endSessions, async ({ params }, by) => {
    const ended = demandGranted(await signOutAdmin(context, params.id, by));
    changes.announce();
    return { ended };
  });
};
