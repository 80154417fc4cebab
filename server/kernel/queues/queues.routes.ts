import { healthHttp, type QueuesHealth } from '#contracts/operations/health.ts';
import { queuesHttp } from '#contracts/operations/queues.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { demandGranted } from '../http/refusal.ts';
import type { QueueControl } from './queue-control.ts';

export const bindQueuesRoutes = (
  routes: ApiRoutes,
  {
    counts,
    status,
    control,
  }: {
    readonly counts: () => Promise<QueuesHealth['queues']>;
    readonly status: () => Promise<QueuesHealth['status']>;
    readonly control: QueueControl;
  },
): void => {
  routes.on(healthHttp.queues, async () => ({ queues: await counts(), status: await status() }));
  routes.on(queuesHttp.list, async () => ({ rows: await control.list() }));
  routes.on(queuesHttp.jobs, ({ params, query }) => control.jobs(params.name, query));
  routes.on(queuesHttp.pause, async ({ params, body }, by) => ({
    rows: demandGranted(await control.pause(params.name, body.paused, by)),
  }));
  routes.on(queuesHttp.retry, ({ params }, by) => control.retry(params.name, params.id, by));
  routes.on(queuesHttp.cancel, ({ params }, by) => control.cancel(params.name, params.id, by));
};
