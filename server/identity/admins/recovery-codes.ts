import type { Kysely } from 'kysely';
import { newRecoveryCodes, recoveryCodeDigest } from '#runtime/auth/second-factor.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/** Replaces the old codes with new ones. @returns them; only their hashes are kept */
export const renewRecoveryCodes = async (
  trx: Kysely<Tables>,
  adminId: string,
): Promise<readonly string[]> => {
  const codes = newRecoveryCodes();
  await forgetRecoveryCodes(trx, adminId);
  await trx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ admin_id: adminId, code_hash: recoveryCodeDigest(code) })))
    .execute();
  return codes;
};

export const forgetRecoveryCodes = async (trx: Kysely<Tables>, adminId: string): Promise<void> => {
  await trx.deleteFrom('recovery_codes').where('admin_id', '=', adminId).execute();
};
