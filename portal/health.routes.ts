import { type Kysely, sql } from 'kysely';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { portalHttp } from '#contracts/portal/portal.ts';
import { ping } from '#runtime/database/pool.ts';
import { Problem } from '#runtime/problem.ts';
import { migrations } from './database/migrations.ts';
import type { PortalTables } from './database/tables.ts';
import { withTimeout } from './database/with-timeout.ts';
import type { PortalRoutes } from './portal-routes.ts';
import type { KeyRing } from './signing-keys/key-ring.ts';

/** @param stopping aborted once the process is asked to stop; null if nothing will */
export const healthRoutes = (
  routes: PortalRoutes,
  {
    db,
    keyRing,
    newerMigrations,
  }: {
    readonly db: Kysely<PortalTables>;
    readonly keyRing: KeyRing;
    /** The migrations that only a newer version knows, which has run here before. */
    readonly newerMigrations: readonly string[];
  },
  stopping: AbortSignal | null,
): void => {
  /** Milliseconds of one round trip. @throws if there is no answer in time */
  const measure = async (): Promise<number> => {
    const start = performance.now();
    await withTimeout(ping(db));
    return Math.round((performance.now() - start) * 100) / 100;
  };

  const newest = newerMigrations.at(-1);
  const detail = newest === undefined ? null : healthReasons['database-newer'](newest);
  routes.on(portalHttp.health, () =>
    measure().then(
      (latencyMs) => ({ status: 'ok', database: { status: 'ok', latencyMs, detail } }) as const,
      () => ({ status: 'degraded', database: { status: 'away', latencyMs: null, detail } }) as const,
    ),
  );
  routes.on(portalHttp.ready, async () => {
    if (stopping?.aborted) throw new Problem('SHUTTING_DOWN');
    const lack = await withTimeout(whatIsLacking(db, keyRing)).catch((cause: unknown) => {
      throw new Problem('DATABASE_UNAVAILABLE', { cause });
    });
    if (lack) throw new Problem('DATABASE_UNAVAILABLE', { detail: lack });
    return { status: 'ready' } as const;
  });
};

interface Facts {
  readonly migrated: number;
  readonly key_counts: boolean;
}

/**
 * Why license requests would get wrong answers although the database responds, in words; null if they would not. A
 * backup that was restored under a running portal lacks the newest tables, or the portal's current signing key.
 */
const whatIsLacking = async (db: Kysely<PortalTables>, keyRing: KeyRing): Promise<string | null> => {
  const names = Object.keys(migrations);
  const look = async (): Promise<Facts | undefined> => {
    const { rows } = await sql<Facts>`
      select
        (select count(*) from schema_migrations where name = any(${names}))::int as migrated,
        exists (
          select from signing_keys where kid = ${keyRing.active.kid} and struck_at is null
        ) as key_counts`.execute(db);
    return rows[0];
  };
  let facts = await look();
  if (facts && !facts.key_counts) {
    // The key may just have been revoked.
    await keyRing.refresh();
    facts = await look();
  }
  if (facts?.migrated !== names.length) return 'The database is older than this portal: restart the portal.';
  return facts.key_counts ? null : 'The key that this process signs with does not count: see its log.';
};
