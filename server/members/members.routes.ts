import { membersHttp } from '#contracts/members.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { scopeOf } from '../access/player-scope.ts';
import { demandGranted } from '../http/refusal.ts';
import type { Members } from './members.ts';

export const bindMembersRoutes = (routes: ApiRoutes, members: Members): void => {
  routes.on(membersHttp.search, ({ query }) => members.search(query));
  routes.on(membersHttp.read, async ({ params }, { actor }) =>
    demandGranted(await members.read(params.id, scopeOf(actor))),
  );
  routes.on(membersHttp.ofPlayer, async ({ params }, { actor }) =>
    demandGranted(await members.ofPlayer(params.id, scopeOf(actor))),
  );
  routes.on(membersHttp.linkCode, async ({ params }, by) =>
    demandGranted(await members.linkCode(params.id, by)),
  );
  routes.on(membersHttp.redeemCode, async ({ params, body }, by) =>
    demandGranted(await members.redeem(params.id, body.code, by)),
  );
  routes.on(membersHttp.merge, async ({ params, body }, by) =>
    demandGranted(await members.merge(params.id, body.mergedId, by)),
  );
  routes.on(membersHttp.undoMerge, async ({ params }, by) =>
    demandGranted(await members.undoMerge(params.id, params.mergeId, by)),
  );
  routes.on(membersHttp.erase, async ({ params, body }, by) => {
    demandGranted(await members.erase(params.id, body.version, by));
    return {};
  });
};
