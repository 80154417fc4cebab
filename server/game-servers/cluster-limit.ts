import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { type Refusal, refuse } from '../http/refusal.ts';

/** An arbitrary number that nothing else in this database locks. */
const clustersLock = 7_214_302;

/**
 * Refuses one cluster more than the license allows. Clusters come into use one at a time, so the count holds until the
 * transaction ends. Clusters already in use are never taken away, even when the license has shrunk.
 */
export const refuseBeyondLicense = async (
  trx: Kysely<Tables>,
  maxClusters: number | null,
): Promise<Refusal | null> => {
  await sql`select pg_advisory_xact_lock(${clustersLock})`.execute(trx);
  if (maxClusters === null) return null;
  const { inUse } = await trx
    .selectFrom('clusters')
    .select(({ fn }) => fn.countAll<string>().as('inUse'))
    .where('archived_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(inUse) < maxClusters) return null;
  return refuse(
    'CLUSTER_LIMIT',
    `The license allows ${maxClusters} in use at once, and ${inUse} are in use.`,
  );
};
