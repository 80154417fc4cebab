import { type Kysely, sql } from 'kysely';
import { tokenDigest } from '#runtime/auth/secret-token.ts';
import { newTypedCode, normalizeTypedCode } from '#runtime/auth/typed-code.ts';
import type { BucketLimits } from '#runtime/throttle/token-buckets.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/** 40 bits: the limits below allow few guesses in a code's ten minutes. */
const codeGroups = 2;
const codeMinutes = 10;

interface LinkCodeLimits {
  /** Wrong codes per caller. */
  readonly perActor: BucketLimits;
  /** Wrong codes per member, no matter who types them. */
  readonly perMember: BucketLimits;
  /** Codes that a person in a game or in Discord asks for: each adds a row to the audit log. */
  readonly issued: BucketLimits;
}
export const linkCodeLimits: LinkCodeLimits = {
  perActor: { capacity: 20, refillMs: 10_000 },
  perMember: { capacity: 5, refillMs: 60_000 },
  issued: { capacity: 5, refillMs: 120_000 },
};

/** Replaces the member's code. @returns the new one; only its digest is stored */
export const issueLinkCode = async (
  trx: Kysely<Tables>,
  memberId: string,
): Promise<{ readonly code: string; readonly expiresAt: string }> => {
  const code = newTypedCode(codeGroups);
  await sql`delete from member_link_codes where expires_at <= now()`.execute(trx);
  const { expires_at } = await trx
    .insertInto('member_link_codes')
    .values({
      digest: digestOf(code),
      member_id: memberId,
      expires_at: sql<Date>`now() + make_interval(mins => ${codeMinutes})`,
    })
    .onConflict((conflict) =>
      conflict.column('member_id').doUpdateSet((row) => ({
        digest: row.ref('excluded.digest'),
        expires_at: row.ref('excluded.expires_at'),
      })),
    )
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return { code, expiresAt: expires_at.toISOString() };
};

/** Holds a code until the transaction ends. @returns the member that asked for it; null for a wrong, used or expired code */
export const holdLinkCode = async (trx: Kysely<Tables>, typed: string): Promise<string | null> => {
  const row = await trx
    .selectFrom('member_link_codes')
    .select('member_id')
    .where('digest', '=', digestOf(typed))
    .where('expires_at', '>', sql<Date>`now()`)
    .forUpdate()
    .executeTakeFirst();
  return row?.member_id ?? null;
};

export const spendLinkCode = async (trx: Kysely<Tables>, typed: string): Promise<void> => {
  await trx.deleteFrom('member_link_codes').where('digest', '=', digestOf(typed)).execute();
};

const digestOf = (code: string): Buffer => tokenDigest(normalizeTypedCode(code));
