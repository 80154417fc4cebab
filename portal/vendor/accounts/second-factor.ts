import type { Transaction } from 'kysely';
import { tokenDigest } from '#runtime/auth/secret-token.ts';
import { newRecoveryCodes, normalizeRecoveryCode } from '#runtime/recovery-code.ts';
import { Secret } from '#runtime/secret.ts';
import type { SecretBox } from '#runtime/secret-box.ts';
import { totpStepOf } from '#runtime/totp.ts';
import type { PortalTables } from '../../database/tables.ts';
import type { SealedColumn } from '../../master-key/sealed-column.ts';
import type { AccountRow } from '../vendor.tables.ts';

type Trx = Transaction<PortalTables>;

export const accountTotpColumn: SealedColumn = {
  table: 'vendor_accounts',
  key: 'id',
  keyType: 'text',
  column: 'totp_sealed',
  placeOf: (id) => `vendor_accounts:${id}:totp`,
};

/** Of an authenticator that is being enrolled. */
export const sessionTotpColumn: SealedColumn = {
  table: 'vendor_sessions',
  key: 'id',
  keyType: 'text',
  column: 'totp_sealed',
  placeOf: (id) => `vendor_sessions:${id}:totp`,
};

const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code.replace(/\s/g, ''));

/**
 * Uses a code up, under the lock of the account's row.
 * @returns what kind of code it was; null when it was none that is good
 */
export const spendCode = async (
  trx: Trx,
  box: SecretBox,
  account: AccountRow,
  code: string,
  now: Date,
): Promise<'totp' | 'recovery-code' | null> => {
  if (account.totp_sealed === null) return null;
  if (!isTotpCode(code)) return (await spendRecoveryCode(trx, account.id, code)) ? 'recovery-code' : null;
  const secret = new Secret(box.open(account.totp_sealed, accountTotpColumn.placeOf(account.id)).toString());
  const lastStep = account.totp_last_step === null ? null : Number(account.totp_last_step);
  const step = totpStepOf(secret, code, { lastStep, nowMs: now.getTime() });
  if (step === null) return null;
  await trx
    .updateTable('vendor_accounts')
    .set({ totp_last_step: String(step) })
    .where('id', '=', account.id)
    .execute();
  return 'totp';
};

const spendRecoveryCode = async (trx: Trx, accountId: string, code: string): Promise<boolean> => {
  const spent = await trx
    .deleteFrom('vendor_recovery_codes')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', digestOf(code))
    .executeTakeFirst();
  return spent.numDeletedRows === 1n;
};

const digestOf = (code: string): Buffer => tokenDigest(normalizeRecoveryCode(code));

/** Puts new codes in the place of the old ones. @returns them; they are kept as hashes alone */
export const renewRecoveryCodes = async (trx: Trx, accountId: string): Promise<readonly string[]> => {
  const codes = newRecoveryCodes();
  await trx.deleteFrom('vendor_recovery_codes').where('account_id', '=', accountId).execute();
  await trx
    .insertInto('vendor_recovery_codes')
    .values(codes.map((code) => ({ account_id: accountId, code_hash: digestOf(code) })))
    .execute();
  return codes;
};
