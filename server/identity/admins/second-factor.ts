import type { Kysely } from 'kysely';
import { type SecondFactorStore, spendCode } from '#runtime/auth/second-factor.ts';
import type { SecondFactor } from '../../kernel/access/second-factor.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { sealedColumn } from '../../kernel/secrets/sealed-column.ts';
import { demandReadable, type Secrets } from '../../kernel/secrets/secrets.ts';

export const totpSecretColumn = sealedColumn({
  table: 'admins',
  key: ['id'],
  column: 'totp_secret',
  describe: ([id]) => `The two-step sign-in of the admin ${id}`,
});

export const createSecondFactor = (secrets: Secrets, now: () => number): SecondFactor => ({
  seal: (adminId, secret) => secrets.seal(totpSecretColumn, [adminId], secret),
  spend: (trx, adminId, code) => spendCode(storeOf(trx, secrets, adminId), code, now()),
});

const storeOf = (trx: Kysely<Tables>, secrets: Secrets, adminId: string): SecondFactorStore => ({
  async lock() {
    const admin = await trx
      .selectFrom('admins')
      .select(['totp_secret', 'totp_last_step'])
      .where('id', '=', adminId)
      .forUpdate()
      .executeTakeFirst();
    if (!admin || admin.totp_secret === null) return null;
    const { totp_secret: sealed, totp_last_step: lastStep } = admin;
    return {
      openSecret: () => demandReadable(secrets.open(totpSecretColumn, [adminId], sealed)),
      lastStep: lastStep === null ? null : Number(lastStep),
    };
  },
  async keepStep(step) {
    await trx.updateTable('admins').set({ totp_last_step: step }).where('id', '=', adminId).execute();
  },
  async deleteRecoveryCode(digest) {
    const deleted = await trx
      .deleteFrom('recovery_codes')
      .where('admin_id', '=', adminId)
      .where('code_hash', '=', digest)
      .executeTakeFirst();
    return deleted.numDeletedRows === 1n;
  },
});
