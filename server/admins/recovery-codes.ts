import { randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import { tokenDigest } from '../access/secret-token.ts';
import type { Tables } from '../database/tables.ts';

const codeCount = 10;
const groups = 4;
const groupLength = 4;
/** Crockford's: nothing in it is mistaken for another. Sixteen of them are 80 bits, too many to try against a hash. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const newCode = (): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-');

/** However it is typed in. */
const normalized = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');

const digestOf = (code: string): Buffer => tokenDigest(normalized(code));

/** Puts new codes in the place of the old ones. @returns them; they are kept as hashes alone */
export const renewRecoveryCodes = async (
  trx: Kysely<Tables>,
  adminId: string,
): Promise<readonly string[]> => {
  const codes = Array.from({ length: codeCount }, newCode);
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
export const useRecoveryCode = async (
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
