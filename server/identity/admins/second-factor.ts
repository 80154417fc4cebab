import type { Kysely } from 'kysely';
import { type SecondFactorKind, type SecondFactorStore, spendCode } from '#runtime/auth/second-factor.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { sealedColumn } from '../../kernel/secrets/sealed-column.ts';
import { demandReadable, type Secrets } from '../../kernel/secrets/secrets.ts';
import type { IdentityContext } from '../identity-context.ts';

export const totpSecretColumn = sealedColumn({
  table: 'admins',
  key: ['id'],
  column: 'totp_secret',
  describe: ([id]) => `The two-step sign-in of the admin ${id}`,
});

/**
 * Uses up a code that proves an admin besides the password, in the caller's transaction.
 * @returns which kind of code it was; null when it was not valid
 * @throws {Problem} SECRET_UNREADABLE
 */
export const spendSecondFactor = (
  trx: Kysely<Tables>,
  { secrets, now }: Pick<IdentityContext, 'secrets' | 'now'>,
  adminId: string,
  code: string,
): Promise<SecondFactorKind | null> => spendCode(storeOf(trx, secrets, adminId), code, now());

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
