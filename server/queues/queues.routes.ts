import { healthHttp, type QueuesHealth } from '#contracts/health.ts';
import type { ApiRoutes } from '../access/authorize.ts';

export interface QueuesRoutesOptions {
  readonly counts: () => Promise<QueuesHealth['queues']>;
  readonly status: () => Promise<QueuesHealth['status']>;
}

export const bindQueuesRoutes = (routes: ApiRoutes, { counts, status }: QueuesRoutesOptions): void => {
  routes.on(healthHttp.queues, async () => ({ queues: await counts(), status: await status() }));
};
