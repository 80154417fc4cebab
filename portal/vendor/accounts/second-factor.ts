import type { Transaction } from 'kysely';
import {
  newRecoveryCodes,
  recoveryCodeDigest,
  type SecondFactorKind,
  type SecondFactorStore,
  spendCode,
} from '#runtime/auth/second-factor.ts';
import type { SealedColumn } from '#runtime/sealed/sealed-column.ts';
import { Secret } from '#runtime/secret.ts';
import type { SecretBox } from '#runtime/secret-box.ts';
import type { AccountRow } from '../../database/rows.ts';
import type { PortalTables } from '../../database/tables.ts';

type Trx = Transaction<PortalTables>;

export const accountTotpColumn: SealedColumn = {
  table: 'vendor_accounts',
  key: ['id'],
  column: 'totp_sealed',
  placeOf: (id) => `vendor_accounts:${id}:totp`,
};

/** For an authenticator that is being enrolled. */
export const sessionTotpColumn: SealedColumn = {
  table: 'vendor_sessions',
  key: ['id'],
  column: 'totp_sealed',
  placeOf: (id) => `vendor_sessions:${id}:totp`,
};

/**
 * Uses up a code, under the lock of the account's row, which the caller holds.
 * @returns the kind of code; null if it is not valid
 */
export const spendAccountCode = (
  trx: Trx,
  box: SecretBox,
  account: AccountRow,
  code: string,
  now: Date,
): Promise<SecondFactorKind | null> => spendCode(storeOf(trx, box, account), code, now.getTime());

const storeOf = (
  trx: Trx,
  box: SecretBox,
  { id, totp_sealed: sealed, totp_last_step: lastStep }: AccountRow,
): SecondFactorStore => ({
  lock: async () =>
    sealed === null
      ? null
      : {
          openSecret: () => new Secret(box.open(sealed, accountTotpColumn.placeOf(id)).toString()),
          lastStep: lastStep === null ? null : Number(lastStep),
        },
  async keepStep(step) {
    await trx
      .updateTable('vendor_accounts')
      .set({ totp_last_step: String(step) })
      .where('id', '=', id)
      .execute();
  },
  async deleteRecoveryCode(digest) {
    const deleted = await trx
      .deleteFrom('vendor_recovery_codes')
      .where('account_id', '=', id)
      .where('code_hash', '=', digest)
      .executeTakeFirst();
    return deleted.numDeletedRows === 1n;
  },
});

/** Replaces the old codes by new ones. @returns them; only their hashes are stored */
export const renewRecoveryCodes = async (trx: Trx, accountId: string): Promise<readonly string[]> => {
  const codes = newRecoveryCodes();
  await trx.deleteFrom('vendor_recovery_codes').where('account_id', '=', accountId).execute();
  await trx
    .insertInto('vendor_recovery_codes')
    .values(codes.map((code) => ({ account_id: accountId, code_hash: recoveryCodeDigest(code) })))
    .execute();
  return codes;
};
