import { desktopAccessHttp } from '#contracts/identity/desktop-access.ts';
import type { AccessChanges } from '../../kernel/access/access-changes.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { DesktopAccesses } from './desktop-access.ts';

export const bindDesktopAccessRoutes = (
  routes: ApiRoutes,
  accesses: DesktopAccesses,
  changes: AccessChanges,
): void => {
  routes.on(desktopAccessHttp.list, async () => ({ rows: await accesses.list() }));
  routes.on(desktopAccessHttp.create, async ({ body }, by) => {
    const credential = demandGranted(await accesses.create(body.user, by));
    changes.announce();
    return { credential };
  });
  routes.on(desktopAccessHttp.revoke, async ({ params }, by) => {
    demandGranted(await accesses.revoke(params.id, by));
    changes.announce();
    return {};
  });
};
