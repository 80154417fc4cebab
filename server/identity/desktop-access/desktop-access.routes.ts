import { desktopAccessHttp } from '#contracts/identity/desktop-access.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { IdentityContext } from '../identity-context.ts';
import { createDesktopAccess, listDesktopAccesses, revokeDesktopAccess } from './desktop-access.ts';

export const bindDesktopAccessRoutes = (
  routes: ApiRoutes,
  { db, changes }: Pick<IdentityContext, 'db' | 'changes'>,
): void => {
  routes.on(desktopAccessHttp.list, async () => ({ rows: await listDesktopAccesses(db) }));
  routes.on(desktopAccessHttp.create, async ({ body }, by) => {
    const credential = demandGranted(await createDesktopAccess(db, body.user, by));
    changes.announce();
    return { credential };
  });
  routes.on(desktopAccessHttp.revoke, async ({ params }, by) => {
    demandGranted(await revokeDesktopAccess(db, params.id, by));
    changes.announce();
    return {};
  });
};
