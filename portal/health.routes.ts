import type { Kysely } from 'kysely';
import { portalHttp } from '#contracts/portal.ts';
import { ping } from '#runtime/database/pool.ts';
import { Problem } from '#runtime/problem.ts';
import type { PortalTables } from './database/tables.ts';
import type { PortalRoutes } from './portal-routes.ts';

/** Longer than any healthy answer, shorter than the patience of whoever probes us. */
const pingDeadlineMs = 2000;

export const healthRoutes = (routes: PortalRoutes, db: Kysely<PortalTables>): void => {
  /** Milliseconds of one round trip. @throws when there is no answer in time */
  const measure = async (): Promise<number> => {
    const start = performance.now();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new Error('the database did not answer in time')),
      pingDeadlineMs,
    );
    try {
      await Promise.race([ping(db), late.promise]);
    } finally {
      clearTimeout(timer);
    }
    return Math.round((performance.now() - start) * 100) / 100;
  };

  routes.on(portalHttp.health, () =>
    measure().then(
      (latencyMs) => ({ status: 'ok', database: { status: 'ok', latencyMs } }) as const,
      () => ({ status: 'degraded', database: { status: 'away', latencyMs: null } }) as const,
    ),
  );
  routes.on(portalHttp.ready, async () => {
    await measure().catch((cause: unknown) => {
      throw new Problem('DATABASE_UNAVAILABLE', { cause });
    });
    return { status: 'ready' } as const;
  });
};
