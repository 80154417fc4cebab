import { timelinesHttp } from '#contracts/people/timelines.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { Timelines } from './timelines.ts';

export const bindTimelinesRoutes = (routes: ApiRoutes, timelines: Timelines): void => {
  routes.on(timelinesHttp.ofPlayer, ({ params, query }, { actor }) =>
    timelines.ofPlayer(actor, params.id, query),
  );
  routes.on(timelinesHttp.ofMember, ({ params, query }, { actor }) =>
    timelines.ofMember(actor, params.id, query),
  );
};
