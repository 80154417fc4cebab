import type { Kysely, Transaction } from 'kysely';
import { triesPerCode } from '#contracts/portal/customers.ts';
import { equalBytes, newSecretToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import { groupLength, isInAlphabet, newTypedCode, normalizeTypedCode } from '#runtime/auth/typed-code.ts';
import type { CustomerCodeRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';

/** 40 bits, and each code has five tries. */
const codeGroups = 2;
/** A code that is valid for everyone who asked for the mailbox can be guessed at by all of them: 60 bits. */
const sharedCodeGroups = 3;

/** For example `K7WD-3M9P`. */
const newCode = (): string => newTypedCode(codeGroups);

/** For example `K7WD-3M9P-Q2XR`. */
const newSharedCode = (): string => newTypedCode(sharedCodeGroups);

/** Whether the text could be a code at all; if not, it need not cost a try. */
const isCodeShaped = (typed: string): boolean => {
  const bare = normalizeTypedCode(typed);
  const isLong = [codeGroups, sharedCodeGroups].includes(bare.length / groupLength);
  return isLong && isInAlphabet(bare);
};

/**
 * What is stored of a code. A code is too short for a plain hash; the holder's secret, which is not stored anywhere,
 * makes the hash worthless to anyone who reads the database.
 * @param use what the code is for: purpose and license
 */
const codeDigest = (holderSecret: string, use: string, typed: string): Buffer =>
  tokenDigest(JSON.stringify([holderSecret, use, normalizeTypedCode(typed)]));

type Trx = Transaction<PortalTables>;

export interface CodeUse {
  /** A secret that only the requesting browser or program has. */
  readonly holder: string;
  readonly purpose: CustomerCodeRow['purpose'];
  /** The license to show. */
  readonly licenseId: string | null;
}

interface NewCode extends CodeUse {
  readonly email: string;
  readonly tenantId: string | null;
  readonly expiresAt: Date;
}

export type TakenCode =
  | { readonly outcome: 'right'; readonly tenantId: string }
  | { readonly outcome: 'wrong'; readonly triesLeft: number }
  /** Never requested, used, expired, or tried too often. */
  | { readonly outcome: 'gone' };

const codeUse = ({ purpose, licenseId }: CodeUse): string => `${purpose}:${licenseId ?? ''}`;

/** Stores a new code in place of the holder's last one. @returns the code */
export const putCode = async (trx: Trx, wanted: NewCode): Promise<string> => {
  const code = newCode();
  await insertCode(trx, wanted, code).execute();
  return code;
};

/** Records the holder's request without a code of its own. */
export const putRequest = async (trx: Trx, wanted: NewCode): Promise<void> => {
  await insertCode(trx, wanted, newSecretToken('pend')).execute();
};

/** How long a person needs to find a mail and type its code. */
const typingMs = 2 * 60_000;

/** Stores a new shared code, unless the current one is valid for long enough. @returns the code, or null */
export const putSharedCode = async (trx: Trx, wanted: NewCode, now: Date): Promise<string | null> => {
  const code = newSharedCode();
  const replacedUntil = new Date(now.getTime() + typingMs);
  const inserted = insertCode(trx, wanted, code, replacedUntil).returning('purpose');
  return (await inserted.executeTakeFirst()) ? code : null;
};

/** @param replacedUntil a current code that expires later than this stays; absent: it is replaced */
const insertCode = (trx: Trx, wanted: NewCode, code: string, replacedUntil?: Date) => {
  const { holder, purpose, licenseId, email, tenantId, expiresAt } = wanted;
  const row = {
    email,
    tenant_id: tenantId,
    license_id: licenseId,
    code_hash: codeDigest(holder, codeUse(wanted), code),
    tries_left: triesPerCode,
    expires_at: expiresAt,
  };
  return trx
    .insertInto('customer_codes')
    .values({ ...row, holder_hash: tokenDigest(holder), purpose })
    .onConflict((conflict) => {
      const update = conflict.columns(['holder_hash', 'purpose']).doUpdateSet(row);
      return replacedUntil ? update.where('customer_codes.expires_at', '<=', replacedUntil) : update;
    });
};

/**
 * Uses up the code if it is right, a try if it is wrong; the transaction must commit in either case.
 * @param sharedUse the mailbox that the holder asked for: its code is valid like the holder's own
 */
export const takeCode = async (
  trx: Trx,
  use: CodeUse,
  typed: string,
  now: Date,
  sharedUse: CodeUse | null = null,
): Promise<TakenCode> => {
  const row = await ofHolder(trx, use).selectAll().forUpdate().executeTakeFirst();
  if (!row || row.expires_at <= now || row.tries_left === 0) return { outcome: 'gone' };
  // A typing mistake that cannot be any code.
  if (!isCodeShaped(typed)) return { outcome: 'wrong', triesLeft: row.tries_left };
  const fits = ({ code_hash, expires_at }: typeof row, of: CodeUse): boolean =>
    expires_at > now && equalBytes(codeDigest(of.holder, codeUse(of), typed), code_hash);
  const shared = sharedUse && (await ofHolder(trx, sharedUse).selectAll().forUpdate().executeTakeFirst());
  const isShared = shared ? fits(shared, sharedUse) : false;
  if ((fits(row, use) || isShared) && row.tenant_id !== null) {
    await deleteCode(trx, row);
    if (shared && isShared) await deleteCode(trx, shared);
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

const deleteCode = (trx: Trx, { holder_hash, purpose }: Pick<CustomerCodeRow, 'holder_hash' | 'purpose'>) =>
  trx
    .deleteFrom('customer_codes')
    .where('holder_hash', '=', holder_hash)
    .where('purpose', '=', purpose)
    .execute();

/** What was requested and for whom, without using up a try. */
export const ofHolder = (db: Kysely<PortalTables>, { holder, purpose }: CodeUse) =>
  db
    .selectFrom('customer_codes')
    .where('holder_hash', '=', tokenDigest(holder))
    .where('purpose', '=', purpose);
