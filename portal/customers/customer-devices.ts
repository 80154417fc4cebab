import { type Kysely, sql, type Transaction } from 'kysely';
import { newSecretToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import type { PortalTables } from '../database/tables.ts';

/** A browser unused for this long counts as unknown again. */
const keptDays = 180;
export const customerDeviceMaxAgeMs = keptDays * 86_400_000;
/** Per customer; the one unused for the longest time is forgotten. */
const maxDevices = 20;

export const deviceBound = (now: Date): Date => new Date(now.getTime() - customerDeviceMaxAgeMs);

/** @param email in lower case */
export const isKnownDevice = async (
  db: Kysely<PortalTables>,
  device: string,
  email: string,
  now: Date,
): Promise<boolean> => {
  const row = await db
    .selectFrom('customer_devices')
    .innerJoin('tenants', 'tenants.id', 'customer_devices.tenant_id')
    .select('tenant_id')
    .where('token_hash', '=', tokenDigest(device))
    .where('last_used_at', '>', deviceBound(now))
    .where(sql<boolean>`lower(tenants.email) = ${email}`)
    .executeTakeFirst();
  return row !== undefined;
};

/** Records that this browser has signed in; the caller holds the customer's row. @returns its secret, a new one each time */
export const rememberDevice = async (
  trx: Transaction<PortalTables>,
  tenantId: string,
  previous: string | null,
  now: Date,
): Promise<string> => {
  const fresh = newSecretToken('dev');
  if (previous !== null)
    await trx.deleteFrom('customer_devices').where('token_hash', '=', tokenDigest(previous)).execute();
  await trx
    .deleteFrom('customer_devices')
    .where('token_hash', 'in', (known) =>
      known
        .selectFrom('customer_devices')
        .select('token_hash')
        .where('tenant_id', '=', tenantId)
        .orderBy('last_used_at', 'desc')
        .offset(maxDevices - 1),
    )
    .execute();
  await trx
    .insertInto('customer_devices')
    .values({ token_hash: tokenDigest(fresh), tenant_id: tenantId, last_used_at: now })
    .execute();
  return fresh;
};
