import type { Kysely } from 'kysely';
import { type SecretsStatus, secretsHttp } from '#contracts/operations/secrets.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import type { Tables } from '../database/tables.ts';
import type { JobSender } from '../queues/job-sender.ts';
import { inspectSecrets } from './inspect-secrets.ts';
import { newestReencryption, requestReencryption } from './reencryption.ts';
import type { DescribedColumn } from './sealed-column.ts';
import type { Secrets } from './secrets.ts';

export const bindSecretsRoutes = (
  routes: ApiRoutes,
  {
    db,
    columns,
    secrets,
    jobs,
  }: {
    readonly db: Kysely<Tables>;
    readonly columns: readonly DescribedColumn[];
    readonly secrets: Secrets;
    readonly jobs: JobSender;
  },
): void => {
  const status = async (): Promise<SecretsStatus> => {
    // Read first: what is counted after a run has ended shows everything that it did.
    const reencryption = await newestReencryption(db);
    const { keys, ...inspection } = await inspectSecrets(db, columns, secrets);
    const replacedAt = await readReplacements(db);
    const dated = keys.map((key) => ({ ...key, replacedAt: replacedAt.get(key.keyId) }));
    return { ...inspection, keys: dated, reencryption };
  };
  routes.on(secretsHttp.status, status);
  routes.on(secretsHttp.reencrypt, async (_input, { actor, address }) => {
    await requestReencryption(db, jobs, actor, address);
    return status();
  });
};

/** When each older key was replaced, ISO 8601, by its id. */
const readReplacements = async (db: Kysely<Tables>): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .selectFrom('encryption_keys')
    .select(['key_id', 'replaced_at'])
    .where('replaced_at', 'is not', null)
    .execute();
  return new Map(
    rows.flatMap(({ key_id, replaced_at }) => (replaced_at ? [[key_id, replaced_at.toISOString()]] : [])),
  );
};
