import { type Kysely, sql } from 'kysely';
import { tokenDigest } from '#runtime/auth/secret-token.ts';
import { newTypedCode, normalizeTypedCode } from '#runtime/auth/typed-code.ts';
import type { BucketLimits } from '#runtime/throttle/token-buckets.ts';
import type { Tables } from '../database/tables.ts';

/** 40 bits, guessed at by the limits below for ten minutes at most. */
const codeGroups = 2;
const codeMinutes = 10;

export interface LinkCodeLimits {
  /** Wrong codes of one caller, … */
  readonly perActor: BucketLimits;
  /** … and for one member, by anyone who types them. */
  readonly perMember: BucketLimits;
}
export const linkCodeLimits: LinkCodeLimits = {
  perActor: { capacity: 20, refillMs: 10_000 },
  perMember: { capacity: 5, refillMs: 60_000 },
};

/** Puts a new code in the place of the member's old one. @returns it; a digest alone is kept */
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

/** Who asked for the code, which is used up by this; null for one that is wrong, used or too old. */
export const redeemLinkCode = async (trx: Kysely<Tables>, typed: string): Promise<string | null> => {
  const row = await trx
    .deleteFrom('member_link_codes')
    .where('digest', '=', digestOf(typed))
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('member_id')
    .executeTakeFirst();
  return row?.member_id ?? null;
};

const digestOf = (code: string): Buffer => tokenDigest(normalizeTypedCode(code));
