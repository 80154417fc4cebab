import type { Kysely } from 'kysely';
import type { Secret } from '#runtime/secret.ts';
import { totpStepOf } from '#runtime/totp.ts';
import type { Tables } from '../database/tables.ts';
import type { SealedColumn } from '../secrets/sealed-column.ts';
import { demandReadable, type Secrets } from '../secrets/secrets.ts';
import { spendRecoveryCode } from './recovery-codes.ts';

export const totpSecretColumn: SealedColumn = {
  table: 'admins',
  key: ['id'],
  column: 'totp_secret',
  describe: ([id]) => `The two-step sign-in of the admin ${id}`,
};

export interface SecondFactor {
  seal(adminId: string, secret: Secret): string;
  /**
   * Uses a code up, in the caller's transaction.
   * @returns what kind of code it was; null when it was none that is good
   * @throws {Problem} SECRET_UNREADABLE
   */
  spend(trx: Kysely<Tables>, adminId: string, code: string): Promise<'totp' | 'recovery-code' | null>;
}

const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code.replace(/\s/g, ''));

export const createSecondFactor = (secrets: Secrets, now: () => number): SecondFactor => ({
  seal: (adminId, secret) => secrets.seal(totpSecretColumn, [adminId], secret),
  async spend(trx, adminId, code) {
    if (!isTotpCode(code)) return (await spendRecoveryCode(trx, adminId, code)) ? 'recovery-code' : null;
    const admin = await trx
      .selectFrom('admins')
      .select(['totp_secret', 'totp_last_step'])
      .where('id', '=', adminId)
      .forUpdate()
      .executeTakeFirst();
    if (!admin || admin.totp_secret === null) return null;
    const step = totpStepOf(
      demandReadable(secrets.open(totpSecretColumn, [adminId], admin.totp_secret)),
      code,
      {
        lastStep: admin.totp_last_step === null ? null : Number(admin.totp_last_step),
        nowMs: now(),
      },
    );
    if (step === null) return null;
    await trx.updateTable('admins').set({ totp_last_step: step }).where('id', '=', adminId).execute();
    return 'totp';
  },
});
