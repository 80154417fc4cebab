import { membersHttp } from '#contracts/members.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { demandGranted } from '../http/refusal.ts';
import type { Points } from './points.ts';

export const bindPointsRoutes = (routes: ApiRoutes, points: Points): void => {
  routes.on(membersHttp.ledger, async ({ params, query }) =>
    demandGranted(await points.ledger(params.id, query)),
  );
  routes.on(membersHttp.grant, async ({ params, body }, by) =>
    demandGranted(await points.grant(params.id, body, by)),
  );
  routes.on(membersHttp.transfer, async ({ params, body }, by) =>
    demandGranted(await points.transfer(params.id, body, by)),
  );
};
