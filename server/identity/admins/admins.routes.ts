import { type Admin, adminsHttp } from '#contracts/identity/admins.ts';
import type { Session } from '#contracts/identity/sessions.ts';
import type { AccessChanges } from '../../kernel/access/access-changes.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted, type Refusal } from '../../kernel/http/refusal.ts';
import type { Admins, ChangedAdmin } from './admins.ts';

export const bindAdminsRoutes = (
  routes: ApiRoutes,
  {
    admins,
    sessionsOf,
    changes,
    keysEnded,
    onCreated,
  }: {
    readonly admins: Admins;
    /** @param current the session of the caller */
    readonly sessionsOf: (adminId: string, current: string | undefined) => Promise<Session[]>;
    readonly changes: AccessChanges;
    /** Resolves when no request of these keys is still running. */
    readonly keysEnded: (keyIds: readonly string[]) => Promise<void>;
    /** Called when there may be a first owner now. */
    readonly onCreated: () => Promise<void>;
  },
): void => {
  const changed = async (result: ChangedAdmin | Refusal): Promise<Admin> => {
    const { admin, endedKeys } = demandGranted(result);
    changes.announce();
    await keysEnded(endedKeys);
    return admin;
  };

  routes.on(adminsHttp.list, async () => ({ rows: await admins.list() }));
  routes.on(adminsHttp.create, async ({ body }, by) => {
    const admin = demandGranted(await admins.create(body, by));
    await onCreated();
    return admin;
  });
  routes.on(adminsHttp.change, async ({ params, body }, by) =>
    changed(await admins.change(params.id, body, by)),
  );
  routes.on(adminsHttp.remove, async ({ params }, by) => {
    await changed(await admins.remove(params.id, by));
    return {};
  });
  routes.on(adminsHttp.resetPassword, async ({ params, body }, by) =>
    changed(await admins.resetPassword(params.id, body, by)),
  );
  routes.on(adminsHttp.sessions, async ({ params }, { actor }) => ({
    rows: await sessionsOf(params.id, actor.sessionId),
  }));
  routes.on(adminsHttp.endSessions, async ({ params }, by) => {
    const ended = demandGranted(await admins.signOut(params.id, by));
    changes.announce();
    return { ended };
  });
};
