import type { Kysely, Transaction } from 'kysely';
import { newSecretToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import type { PortalTables } from '../../database/tables.ts';

/** A browser unused for this long counts as unknown again. */
const keptDays = 180;
export const deviceMaxAgeMs = keptDays * 86_400_000;

export const isKnownDevice = async (
  db: Kysely<PortalTables>,
  accountId: string,
  device: string | null,
  now: Date,
): Promise<boolean> => {
  if (device === null) return false;
  const row = await db
    .selectFrom('vendor_devices')
    .select('account_id')
    .where('token_hash', '=', tokenDigest(device))
    .where('account_id', '=', accountId)
    .where('last_used_at', '>', new Date(now.getTime() - deviceMaxAgeMs))
    .executeTakeFirst();
  return row !== undefined;
};

/** Records that this browser has signed in. @returns its secret, a new one each time */
export const rememberDevice = async (
  trx: Transaction<PortalTables>,
  accountId: string,
  device: string | null,
  now: Date,
): Promise<string> => {
  if (device !== null)
    await trx.deleteFrom('vendor_devices').where('token_hash', '=', tokenDigest(device)).execute();
  const fresh = newSecretToken('dev');
  await trx
    .insertInto('vendor_devices')
    .values({ token_hash: tokenDigest(fresh), account_id: accountId, last_used_at: now })
    .execute();
  return fresh;
};

export const forgetOldDevices = async (db: Kysely<PortalTables>, now: Date): Promise<void> => {
  await db
    .deleteFrom('vendor_devices')
    .where('last_used_at', '<=', new Date(now.getTime() - deviceMaxAgeMs))
    .execute();
};
