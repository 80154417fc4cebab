import { membersHttp } from '#contracts/people/members.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { scopeOf } from '../../kernel/access/player-scope.ts';
import type { Members } from './members.ts';

export const bindMembersRoutes = (routes: ApiRoutes, members: Members): void => {
  routes.on(membersHttp.search, ({ query: { online, ...search } }, { actor }) =>
    members.search({ ...search, ...(online === 'true' && { onlineIn: scopeOf(actor) }) }),
  );
  routes.on(membersHttp.read, ({ params }, { actor }) => members.read(params.id, scopeOf(actor)));
  routes.on(membersHttp.ofPlayer, ({ params }, { actor }) => members.ofPlayer(params.id, scopeOf(actor)));
  routes.on(membersHttp.linkCode, ({ params }, by) => members.linkCode(params.id, by));
  routes.on(membersHttp.redeemCode, ({ params, body }, by) => members.redeem(params.id, body.code, by));
  routes.on(membersHttp.merge, ({ params, body }, by) => members.merge(params.id, body.mergedId, by));
  routes.on(membersHttp.undoMerge, ({ params }, by) => members.undoMerge(params.id, params.mergeId, by));
  routes.on(
    membersHttp.erase,
    async ({ params, body }, by) => (await members.erase(params.id, body.version, by)) ?? {},
  );
};
