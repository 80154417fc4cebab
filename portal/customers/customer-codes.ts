import { timingSafeEqual } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { triesPerCode } from '#contracts/customers.ts';
import type { PortalTables } from '../database/tables.ts';
import type { CodePurpose } from './customers.tables.ts';
import { codeDigest, isCodeShaped, newCode, tokenDigest } from './one-time-code.ts';

type Trx = Transaction<PortalTables>;

export interface CodeUse {
  /** What only the browser or program holds that asks. */
  readonly holder: string;
  readonly purpose: CodePurpose;
  /** The license that is to be shown. */
  readonly licenseId: string | null;
}

export interface NewCode extends CodeUse {
  readonly email: string;
  readonly tenantId: string | null;
  readonly expiresAt: Date;
}

export type TakenCode =
  | { readonly outcome: 'right'; readonly tenantId: string }
  | { readonly outcome: 'wrong'; readonly triesLeft: number }
  /** Never asked for, used, run out, or tried too often. */
  | { readonly outcome: 'gone' };

const codeUse = ({ purpose, licenseId }: CodeUse): string => `${purpose}:${licenseId ?? ''}`;

/** Keeps a new code in place of the holder's last one. @returns the code */
export const putCode = async (trx: Trx, wanted: NewCode): Promise<string> => {
  const { holder, purpose, licenseId, email, tenantId, expiresAt } = wanted;
  const code = newCode();
  const row = {
    email,
    tenant_id: tenantId,
    license_id: licenseId,
    code_hash: codeDigest(holder, codeUse(wanted), code),
    tries_left: triesPerCode,
    expires_at: expiresAt,
  };
  await trx
    .insertInto('customer_codes')
    .values({ ...row, holder_hash: tokenDigest(holder), purpose })
    .onConflict((conflict) => conflict.columns(['holder_hash', 'purpose']).doUpdateSet(row))
    .execute();
  return code;
};

/** Uses up the code when it is right, a try when it is wrong; the transaction has to commit in either case. */
export const takeCode = async (trx: Trx, use: CodeUse, typed: string, now: Date): Promise<TakenCode> => {
  const row = await ofHolder(trx, use).selectAll().forUpdate().executeTakeFirst();
  if (!row || row.expires_at <= now || row.tries_left === 0) return { outcome: 'gone' };
  // A slip of the hand that could not be any code.
  if (!isCodeShaped(typed)) return { outcome: 'wrong', triesLeft: row.tries_left };
  const isRight = timingSafeEqual(row.code_hash, codeDigest(use.holder, codeUse(use), typed));
  if (isRight && row.tenant_id !== null) {
    await trx
      .deleteFrom('customer_codes')
      .where('holder_hash', '=', row.holder_hash)
      .where('purpose', '=', use.purpose)
      .execute();
    return { outcome: 'right', tenantId: row.tenant_id };
  }
  const triesLeft = row.tries_left - 1;
  await trx
    .updateTable('customer_codes')
    .set({ tries_left: triesLeft })
    .where('holder_hash', '=', row.holder_hash)
    .where('purpose', '=', use.purpose)
    .execute();
  return triesLeft === 0 ? { outcome: 'gone' } : { outcome: 'wrong', triesLeft };
};

/** What was asked for and whose it is, without using a try. */
export const ofHolder = (db: Kysely<PortalTables>, { holder, purpose }: CodeUse) =>
  db
    .selectFrom('customer_codes')
    .where('holder_hash', '=', tokenDigest(holder))
    .where('purpose', '=', purpose);
