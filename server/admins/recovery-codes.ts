import type { Kysely } from 'kysely';
import { tokenDigest } from '#runtime/auth/secret-token.ts';
import { newRecoveryCodes, normalizeRecoveryCode } from '#runtime/recovery-code.ts';
import type { Tables } from '../database/tables.ts';

const digestOf = (code: string): Buffer => tokenDigest(normalizeRecoveryCode(code));

/** Puts new codes in the place of the old ones. @returns them; they are kept as hashes alone */
export const renewRecoveryCodes = async (
  trx: Kysely<Tables>,
  adminId: string,
): Promise<readonly string[]> => {
  const codes = newRecoveryCodes();
  await forgetRecoveryCodes(trx, adminId);
  await trx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ admin_id: adminId, code_hash: digestOf(code) })))
    .execute();
  return codes;
};

export const forgetRecoveryCodes = async (trx: Kysely<Tables>, adminId: string): Promise<void> => {
  await trx.deleteFrom('recovery_codes').where('admin_id', '=', adminId).execute();
};

/** Uses the code up. @returns whether it was one */
export const spendRecoveryCode = async (
  trx: Kysely<Tables>,
  adminId: string,
  code: string,
): Promise<boolean> => {
  const used = await trx
    .deleteFrom('recovery_codes')
    .where('admin_id', '=', adminId)
    .where('code_hash', '=', digestOf(code))
    .executeTakeFirst();
  return used.numDeletedRows === 1n;
};
