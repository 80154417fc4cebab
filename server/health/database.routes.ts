import type pg from 'pg';
import { type ComponentHealth, type DatabaseHealth, healthHttp } from '#contracts/health.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import type { DatabaseLatency, RoundTrip } from '../database/latency.ts';

/** A busy pool only slows the API down; without a reachable and prepared database, it cannot work at all. */
export const databaseHealthOf = (trip: RoundTrip, obstacle: string | null): ComponentHealth => {
  if (!trip.answered) return { status: trip.busy ? 'degraded' : 'down', detail: trip.detail };
  if (obstacle !== null) return { status: 'down', detail: obstacle };
  return { status: 'ok', detail: null };
};

export const bindDatabaseRoutes = (
  routes: ApiRoutes,
  {
    pool,
    latency,
    obstacle,
  }: { readonly pool: pg.Pool; readonly latency: DatabaseLatency; readonly obstacle: () => string | null },
): void => {
  routes.on(healthHttp.database, async (): Promise<DatabaseHealth> => {
    const trip = await latency.now();
    return {
      ...databaseHealthOf(trip, obstacle()),
      latencyMs: trip.answered ? trip.latencyMs : null,
      ...latency.percentiles(),
      pool: {
        max: pool.options.max,
        open: pool.totalCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
      },
    };
  });
};
