import type { Kysely } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { Member, MemberDetails, MemberGroup } from '#contracts/people/members.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { actorReference } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { PlayerScope } from '../../kernel/access/player-scope.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { type Page, type PageQuery, readOlderPage } from '../../kernel/logs/older-page.ts';
import { findOfDiscord, insertForDiscord, releaseDiscord } from '../discord-accounts.ts';
import { eraseMember } from './erase-member.ts';
import { holdMembers } from './held-members.ts';
import { holdLinkCode, issueLinkCode, linkCodeLimits, spendLinkCode } from './link-codes.ts';
import { readInDiscord, readWhose, type WhoseInDiscord } from './member-names.ts';
import { type ChangedBy, type MemberPair, mergeMembers, refuseMerge, undoMerge } from './merging.ts';
import { readMember, searchMembers } from './read-members.ts';

export type Members = ReturnType<typeof createMembers>;

export const createMembers = ({
  db,
  forgetPlayers,
  now = Date.now,
}: {
  readonly db: Kysely<Tables>;
  /** Call it after players were erased: those online become new players. */
  readonly forgetPlayers: (playerIds: readonly string[]) => void;
  readonly now?: () => number;
}) => {
  const triesOfActor = createTokenBuckets(linkCodeLimits.perActor, now);
  const triesForMember = createTokenBuckets(linkCodeLimits.perMember, now);
  const issuedTo = createTokenBuckets(linkCodeLimits.issued, now);

  const read = async (id: string, scope: PlayerScope = []): Promise<MemberDetails | Refusal> =>
    (await readMember(db, id, scope)) ?? refuse('NOT_FOUND');

  const mergeAudited = async (trx: Kysely<Tables>, pair: MemberPair, by: AuditContext) => {
    const { keptId, mergedId } = pair;
    const merged = await mergeMembers(trx, pair, changedBy(by));
    if (!isRefusal(merged))
      await recordAudit(trx, {
        ...by,
        action: 'members.merge',
        target: memberReference(keptId),
        after: { mergedId, ...merged },
      });
    return merged;
  };

  const openForDiscord = async (discordId: string, by: AuditContext): Promise<string> => {
    const known = await findOfDiscord(db, discordId);
    if (known !== null) return known;
    const made = await db.transaction().execute(async (trx) => {
      const id = await insertForDiscord(trx, discordId);
      if (id !== null)
        await recordAudit(trx, {
          ...by,
          action: 'members.create',
          target: memberReference(id),
          after: { discordId },
        });
      return id;
    });
    // Another request created it in between.
    return made ?? openForDiscord(discordId, by);
  };

  /** Within the limits on guessing; a correct code returns its guess. */
  const tryCode = async <Used extends object>(
    id: string,
    code: string,
    by: AuditContext,
    use: (trx: Kysely<Tables>, keptId: string) => Promise<Used | Refusal>,
  ): Promise<({ readonly keptId: string } & Used) | Refusal> => {
    const actor = actorReference(by.actor);
    const retryAfterMs = Math.max(triesOfActor.waitMs(actor), triesForMember.waitMs(id));
    if (retryAfterMs > 0) return { ...refuse('RATE_LIMITED', reasons['wrong-codes']), retryAfterMs };
    triesOfActor.take(actor);
    triesForMember.take(id);
    const result = await retryDeadlocks(db, async (trx) => {
      const keptId = await holdLinkCode(trx, code);
      if (keptId === null) return refuse('LINK_CODE_INVALID');
      const used = await use(trx, keptId);
      return isRefusal(used) ? used : { ...used, keptId };
    });
    if (isRefusal(result) && result.refused === 'LINK_CODE_INVALID') return result;
    triesOfActor.giveBack(actor);
    triesForMember.giveBack(id);
    return result;
  };

  return {
    /**
     * Follows merges.
     * @param scope on which servers the reader may see them; without it, on none
     */
    read,

    search: ({
      text,
      group,
      game,
      onlineIn,
      ...page
    }: PageQuery & {
      readonly text?: string | undefined;
      readonly group?: MemberGroup | undefined;
      readonly game?: GameId | undefined;
      /** On which servers they must be now. */
      readonly onlineIn?: PlayerScope | undefined;
    }): Promise<Page<Member>> =>
      readOlderPage(
        page,
        ({ beyond, limit }) =>
          searchMembers(db, { text, group, game, onlineIn, beyondId: beyond?.id ?? null, limit }),
        ({ createdAt, id }) => ({ at: new Date(createdAt), id }),
      ),

    async ofPlayer(playerId: string, scope?: PlayerScope): Promise<MemberDetails | Refusal> {
      const player = await db
        .selectFrom('players')
        .select('member_id')
        .where('id', '=', playerId)
        .executeTakeFirst();
      return player ? read(player.member_id, scope) : refuse('NOT_FOUND');
    },

    /** Locks members against merging and erasing until the transaction ends; refuses merged and erased ones. */
    async hold(trx: Kysely<Tables>, ids: readonly string[]): Promise<Refusal | null> {
      const held = await holdMembers(trx, ids, 'share');
      return isRefusal(held) ? held : null;
    },

    async linkCode(id: string, by: AuditContext): Promise<{ code: string; expiresAt: string } | Refusal> {
      const { kind } = by.actor;
      const retryAfterMs =
        kind === 'player' || kind === 'discord' ? issuedTo.tryTake(actorReference(by.actor)) : 0;
      if (retryAfterMs > 0) return { ...refuse('RATE_LIMITED', 'Too many codes.'), retryAfterMs };
      return retryDeadlocks(db, async (trx) => {
        const held = await holdMembers(trx, [id], 'share');
        if (isRefusal(held)) return held;
        const issued = await issueLinkCode(trx, id);
        await recordAudit(trx, { ...by, action: 'members.link-code', target: memberReference(id) });
        return issued;
      });
    },

    async redeem(id: string, code: string, by: AuditContext): Promise<MemberDetails | Refusal> {
      const redeemed = await tryCode(id, code, by, async (trx, keptId) => {
        const merged = await mergeAudited(trx, { keptId, mergedId: id }, by);
        if (!isRefusal(merged)) await spendLinkCode(trx, code);
        return merged;
      });
      return isRefusal(redeemed) ? redeemed : read(redeemed.keptId);
    },

    /**
     * Uses up a code, even when its use is refused, without merging: the person who typed it has yet to confirm.
     * @returns the member whose code it is; refused when that member is not known in Discord
     */
    async takeCode(
      id: string,
      code: string,
      by: AuditContext,
    ): Promise<({ readonly keptId: string } & WhoseInDiscord) | Refusal> {
      return tryCode(id, code, by, async (trx, keptId) => {
        await spendLinkCode(trx, code);
        const refused = await refusePair(trx, { keptId, mergedId: id });
        return refused ?? (await readInDiscord(trx, keptId)) ?? refuse('DISCORD_NOT_LINKED');
      });
    },

    /** Uses up a code that others could read. */
    spendCode: (code: string): Promise<void> => spendLinkCode(db, code),

    /** Leaves the code valid. @returns the name of the member whose code it is */
    async whoseCode(id: string, code: string, by: AuditContext): Promise<string | Refusal> {
      const found = await tryCode(
        id,
        code,
        by,
        async (trx, keptId) => (await refusePair(trx, { keptId, mergedId: id })) ?? {},
      );
      return isRefusal(found) ? found : readWhose(db, found.keptId);
    },

    /** The member of a Discord account; null: there is none yet. */
    async ofDiscord(discordId: string): Promise<MemberDetails | null> {
      const id = await findOfDiscord(db, discordId);
      return id === null ? null : readMember(db, id, []);
    },

    /** The same, but creates a missing member. @returns its id */
    openForDiscord,

    /** Separates the Discord account from its players, who keep the wallet. @returns whether there were any */
    unlinkDiscord: (discordId: string, by: AuditContext): Promise<boolean> =>
      retryDeadlocks(db, async (trx) => {
        const unlinked = await releaseDiscord(trx, discordId);
        if (unlinked !== null)
          await recordAudit(trx, {
            ...by,
            action: 'members.unlink-discord',
            target: memberReference(unlinked),
            before: { discordId },
          });
        return unlinked !== null;
      }),

    /** @param keptDiscordId refused when the kept member now has another account */
    async merge(
      id: string,
      mergedId: string,
      by: AuditContext,
      keptDiscordId?: string,
    ): Promise<MemberDetails | Refusal> {
      const merged = await retryDeadlocks(db, (trx) =>
        mergeAudited(trx, { keptId: id, mergedId, keptDiscordId }, by),
      );
      return isRefusal(merged) ? merged : read(id);
    },

    async undoMerge(id: string, mergeId: string, by: AuditContext): Promise<MemberDetails | Refusal> {
      const undone = await retryDeadlocks(db, async (trx) => {
        const result = await undoMerge(trx, { keptId: id, mergeId }, changedBy(by));
        if (!isRefusal(result))
          await recordAudit(trx, {
            ...by,
            action: 'members.undo-merge',
            target: memberReference(id),
            after: { mergeId, ...result },
          });
        return result;
      });
      return isRefusal(undone) ? undone : read(id);
    },

    async erase(id: string, version: number, by: AuditContext): Promise<Refusal | null> {
      const erased = await retryDeadlocks(db, async (trx) => {
        const result = await eraseMember(trx, id, version);
        if (!isRefusal(result))
          await recordAudit(trx, { ...by, action: 'members.erase', target: memberReference(id) });
        return result;
      });
      if (isRefusal(erased)) return erased;
      forgetPlayers(erased);
      return null;
    },
  };
};

const refusePair = async (trx: Kysely<Tables>, pair: MemberPair): Promise<Refusal | null> => {
  const held = await holdMembers(trx, [pair.keptId, pair.mergedId], 'share');
  return isRefusal(held) ? held : refuseMerge(held, pair);
};

const memberReference = (id: string): string => `member:${id}`;
const changedBy = ({ actor }: AuditContext): ChangedBy => ({
  actor: actorReference(actor),
  actorName: actor.name,
});
