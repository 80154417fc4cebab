import { timelinesHttp } from '#contracts/timelines.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { demandGranted } from '../http/refusal.ts';
import type { Timelines } from './timelines.ts';

export const bindTimelinesRoutes = (routes: ApiRoutes, timelines: Timelines): void => {
  routes.on(timelinesHttp.ofPlayer, async ({ params, query }, { actor }) =>
    demandGranted(await timelines.ofPlayer(actor, params.id, query)),
  );
  routes.on(timelinesHttp.ofMember, async ({ params, query }, { actor }) =>
    demandGranted(await timelines.ofMember(actor, params.id, query)),
  );
};
