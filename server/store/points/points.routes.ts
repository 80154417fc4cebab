import { membersHttp } from '#contracts/people/members.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { Points } from './points.ts';

export const bindPointsRoutes = (routes: ApiRoutes, points: Points): void => {
  routes.on(membersHttp.ledger, ({ params, query }) => points.ledger(params.id, query));
  routes.on(membersHttp.grant, ({ params, body }, by) => points.grant(params.id, body, by));
  routes.on(membersHttp.transfer, ({ params, body }, by) => points.transfer(params.id, body, by));
};
