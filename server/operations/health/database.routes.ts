import type pg from 'pg';
import { type ComponentHealth, type DatabaseHealth, healthHttp } from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { DatabaseLatency, RoundTrip } from '../../kernel/database/latency.ts';

const dayMs = 86_400_000;
/** Computers are off for days; people are told of what is rather a wrong clock. */
const doubtedMs = 7 * dayMs;

/**
 * A busy pool only slows the API down; without a reachable and prepared database, it cannot work at all.
 * @param unprovenMs how far the clock is ahead of what is proven
 * @param newerMigrations that only a newer version knows: after a way back, the previous version works on its schema
 */
export const databaseHealthOf = (
  trip: RoundTrip,
  obstacle: string | null,
  newerMigrations: readonly string[],
  unprovenMs = 0,
): ComponentHealth => {
  if (!trip.answered) return { status: trip.busy ? 'degraded' : 'down', detail: trip.detail };
  if (obstacle !== null) return { status: 'down', detail: obstacle };
  if (unprovenMs >= doubtedMs)
    return { status: 'degraded', detail: healthReasons['clock-jumped'](Math.round(unprovenMs / dayMs)) };
  const newest = newerMigrations.at(-1);
  return newest === undefined
    ? { status: 'ok', detail: null }
    : { status: 'degraded', detail: healthReasons['database-newer'](newest) };
};

export const bindDatabaseRoutes = (
  routes: ApiRoutes,
  {
    pool,
    latency,
    obstacle,
    newerMigrations,
    unprovenMs,
  }: {
    readonly pool: pg.Pool;
    readonly latency: DatabaseLatency;
    readonly obstacle: () => string | null;
    readonly newerMigrations: () => readonly string[];
    readonly unprovenMs: () => number;
  },
): void => {
  routes.on(healthHttp.database, async (): Promise<DatabaseHealth> => {
    const trip = await latency.now();
    return {
      ...databaseHealthOf(trip, obstacle(), newerMigrations(), unprovenMs()),
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
