import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { type Refusal, refuse } from '../http/refusal.ts';

/** Any number that nothing else in this database locks. */
const clustersLock = 7_214_302;

/**
 * Whether one more cluster is beyond the license. Clusters come into use one at a time: the count stays true until the
 * transaction ends. What is in use already is never taken away, however little the license allows by now.
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
