import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { tokenDigest } from '#runtime/auth/secret-token.ts';
import { newTypedCode, normalizeTypedCode } from '#runtime/auth/typed-code.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { enabledAdmins } from '../../identity/admins-with-grants.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';

/** 60 bits. It opens more than a member's code does, and its length tells the two apart. */
const codeGroups = 3;
const codeMinutes = 10;
/** Budget for wrong codes by one Discord account. */
const tries = { capacity: 5, refillMs: 60_000 };

interface AdminLink {
  readonly discordId: string;
  readonly discordName: string;
  readonly linkedAt: string;
}

export interface AdminLinks {
  ofAdmin(adminId: string): Promise<AdminLink | null>;
  /** The name of the admin whose account it is; null: of none. */
  nameOf(discordId: string): Promise<string | null>;
  /** Replaces the old code with a new one; only a digest is kept. */
  issueCode(by: AuditContext): Promise<{ code: string; expiresAt: string }>;
  /** Whether this has the form of an admin's code. */
  isCode(typed: string): boolean;
  /** By the acting Discord account. @returns the admin's name */
  redeem(typed: string, by: AuditContext): Promise<string | Refusal>;
  /** @returns whether there was one */
  unlink(
    whose: { readonly adminId: string } | { readonly discordId: string },
    by: AuditContext,
  ): Promise<boolean>;
}

export const createAdminLinks = (db: Kysely<Tables>, now: () => number): AdminLinks => {
  const triesOf = createTokenBuckets(tries, now);

  return {
    async ofAdmin(adminId) {
      const row = await db
        .selectFrom('discord_admins')
        .selectAll()
        .where('admin_id', '=', adminId)
        .executeTakeFirst();
      return row
        ? { discordId: row.discord_id, discordName: row.discord_name, linkedAt: row.linked_at.toISOString() }
        : null;
    },

    async nameOf(discordId) {
      const row = await db
        .selectFrom('discord_admins')
        .innerJoin('admins', 'admins.id', 'discord_admins.admin_id')
        .select('admins.name')
        .where('discord_id', '=', discordId)
        .where('admins.disabled', '=', false)
        .executeTakeFirst();
      return row?.name ?? null;
    },

    issueCode: (by) =>
      db.transaction().execute(async (trx) => {
        const code = newTypedCode(codeGroups);
        const row = {
          digest: digestOf(code),
          expires_at: sql<Date>`now() + make_interval(mins => ${codeMinutes})`,
        };
        const { expires_at } = await trx
          .insertInto('discord_admin_codes')
          .values({ admin_id: by.actor.id, ...row })
          .onConflict((conflict) => conflict.column('admin_id').doUpdateSet(row))
          .returning('expires_at')
          .executeTakeFirstOrThrow();
        await recordAudit(trx, { ...by, action: 'admins.discord-code', target: reference(by.actor.id) });
        return { code, expiresAt: expires_at.toISOString() };
      }),

    isCode: (typed) => normalizeTypedCode(typed).length === codeGroups * 4,

    async redeem(typed, by) {
      const discordId = by.actor.id;
      const retryAfterMs = triesOf.tryTake(discordId);
      if (retryAfterMs > 0) return { ...refuse('RATE_LIMITED', reasons['wrong-codes']), retryAfterMs };
      const linked = await db.transaction().execute(async (trx) => {
        const code = await trx
          .deleteFrom('discord_admin_codes')
          .where('digest', '=', digestOf(typed))
          .where('expires_at', '>', sql<Date>`now()`)
          .returning('admin_id')
          .executeTakeFirst();
        const admin =
          code && (await enabledAdmins(trx).where('admins.id', '=', code.admin_id).executeTakeFirst());
        if (!admin) return refuse('LINK_CODE_INVALID');
        // One account may type the codes of two admins at the same time: the second one then sees the first one's link.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`discord-admin:${discordId}`}, 0))`.execute(
          trx,
        );
        // Either may have had another one: a person has one account on each side.
        const before = await trx
          .deleteFrom('discord_admins')
          .where((one) => one.or([one('admin_id', '=', admin.id), one('discord_id', '=', discordId)]))
          .returning(['admin_id as adminId', 'discord_id as discordId'])
          .execute();
        await trx
          .insertInto('discord_admins')
          .values({ admin_id: admin.id, discord_id: discordId, discord_name: by.actor.name })
          .execute();
        await recordAudit(trx, {
          ...by,
          action: 'admins.link-discord',
          target: reference(admin.id),
          before: before.length > 0 ? before : null,
          after: { discordId, discordName: by.actor.name },
        });
        return admin.name;
      });
      if (!isRefusal(linked)) triesOf.giveBack(discordId);
      return linked;
    },

    unlink: (whose, by) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .deleteFrom('discord_admins')
          .where((one) =>
            'adminId' in whose
              ? one('admin_id', '=', whose.adminId)
              : one('discord_id', '=', whose.discordId),
          )
          .returning(['admin_id', 'discord_id'])
          .executeTakeFirst();
        if (row)
          await recordAudit(trx, {
            ...by,
            action: 'admins.unlink-discord',
            target: reference(row.admin_id),
            before: { discordId: row.discord_id },
          });
        return row !== undefined;
      }),
  };
};

/** Together with an admin's other ways to sign in, in the transaction that ends them. */
export const endDiscordLink = async (trx: Kysely<Tables>, adminId: string): Promise<void> => {
  // The code first, in the order in which redeeming locks: either redeeming waits, or its link is seen here.
  await trx.deleteFrom('discord_admin_codes').where('admin_id', '=', adminId).execute();
  await trx.deleteFrom('discord_admins').where('admin_id', '=', adminId).execute();
};

const digestOf = (code: string): Buffer => tokenDigest(normalizeTypedCode(code));
const reference = (adminId: string): string => `admin:${adminId}`;
