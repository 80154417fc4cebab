import { createId } from '@paralleldrive/cuid2';
import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { SectionValues } from '#contracts/operations/settings.ts';
import type { GiftOffer } from '#contracts/store/rewards.ts';
import { type Actor, actorReference } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { moveBetweenWallets } from '../ledger-entries.ts';
import { isOverdrawn } from '../points/check-violation.ts';
import type { StoreContext } from '../store-context.ts';
import { readDay } from './community-day.ts';
import { readBalance } from './reward-entries.ts';

type GiftSettings = SectionValues<'rewards'>;

export interface GivenGift {
  readonly points: number;
  readonly receiverName: string;
  readonly balance: number;
}

type Trx = Kysely<Tables>;
const offerMs = 10 * 60_000;

/** Points from member to member, in two steps. The caller has determined the giver. */
export const createGifts = (context: Pick<StoreContext, 'db' | 'members' | 'settings' | 'now'>) => {
  const { db, members, settings } = context;
  const now = () => new Date(context.now());
  const readTerms = async () => {
    const { giftsEnabled, giftMin, giftMostPerDay } = await settings.values('rewards');
    const { timeZone: zone } = await settings.values('general');
    return { terms: { giftsEnabled, giftMin, giftMostPerDay }, zone };
  };
  const nameOf = async (id: string): Promise<string> => {
    const member = await members.read(id);
    return isRefusal(member) ? '' : member.name;
  };

  /** @returns what is left of today's limit after the gift */
  const findLeft = async (
    trx: Trx,
    { fromMember, points }: { readonly fromMember: string; readonly points: number },
    { giftsEnabled, giftMin, giftMostPerDay }: GiftSettings,
    day: string,
  ): Promise<number | Refusal> => {
    if (!giftsEnabled) return refuse('REWARD_UNAVAILABLE', reasons['gifts-off']);
    if (points < giftMin) return refuse('LIMIT_REACHED', reasons['gift-least'](giftMin));
    const left = giftMostPerDay - (await givenOn(trx, fromMember, day));
    return points > left ? refuse('LIMIT_REACHED', reasons['gift-left'](Math.max(0, left))) : left - points;
  };

  const today = async (trx: Trx, zone: string) => (await readDay(trx, zone, now())).day;

  return {
    async offer({
      fromMember,
      toMember,
      points,
    }: {
      readonly fromMember: string;
      readonly toMember: string;
      readonly points: number;
    }): Promise<GiftOffer | Refusal> {
      if (fromMember === toMember) return refuse('INVALID_REQUEST', reasons['gift-to-self']);
      const { terms, zone } = await readTerms();
      const made = await retryDeadlocks(db, async (trx) => {
        const refused = await members.hold(trx, [fromMember, toMember]);
        if (refused) return refused;
        const left = await findLeft(trx, { fromMember, points }, terms, await today(trx, zone));
        if (isRefusal(left)) return left;
        const balance = await readBalance(trx, fromMember);
        if (balance < points) return refuse('INSUFFICIENT_POINTS');
        const expiresAt = new Date(now().getTime() + offerMs);
        const id = createId();
        await trx
          .insertInto('reward_gifts')
          .values({
            id,
            from_member: fromMember,
            to_member: toMember,
            points,
            expires_at: expiresAt,
            given_at: null,
          })
          .execute();
        return { id, points, balance, leftToday: left, expiresAt: expiresAt.toISOString() };
      });
      return isRefusal(made) ? made : { ...made, receiverName: await nameOf(toMember) };
    },

    /** At most once per offer. @param fromMember refused when the offer belongs to another member */
    async confirm(id: string, fromMember: string, by: AuditContext): Promise<GivenGift | Refusal> {
      const { terms, zone } = await readTerms();
      try {
        const given = await retryDeadlocks(db, async (trx) => {
          // One member's gifts are counted one after another. Members are locked before what refers to them.
          const gift = (await lockBoth(trx, id)) ? await lockGift(trx, id) : null;
          if (!gift || gift.from_member !== fromMember) return refuse('NOT_FOUND');
          const points = Number(gift.points);
          const [giver, receiver] = [gift.from_member, gift.to_member];
          if (gift.given_at === null) {
            if (gift.expires_at <= now()) return refuse('REWARD_UNAVAILABLE', reasons['gift-expired']);
            const refused = await members.hold(trx, [giver, receiver]);
            if (refused) return refused;
            const day = await today(trx, zone);
            const left = await findLeft(trx, { fromMember: giver, points }, terms, day);
            if (isRefusal(left)) return left;
            const entryId = await moveBetweenWallets(trx, {
              kind: 'transfer',
              fromMember: giver,
              toMember: receiver,
              points,
              by: namesOf(by.actor),
            });
            await sql`update reward_gifts set given_at = now(), day = ${day}::date where id = ${id}`.execute(
              trx,
            );
            await recordAudit(trx, {
              ...by,
              action: 'rewards.gift',
              target: `member:${giver}`,
              after: { toMemberId: receiver, points, entryId },
            });
          }
          return { points, receiver, balance: await readBalance(trx, giver) };
        });
        if (isRefusal(given)) return given;
        const { points, receiver, balance } = given;
        return { points, receiverName: await nameOf(receiver), balance };
      } catch (error) {
        if (isOverdrawn(error)) return refuse('INSUFFICIENT_POINTS');
        throw error;
      }
    },

    /** Deletes expired offers. @returns how many */
    async tidy(): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        delete from reward_gifts where given_at is null and expires_at < now() - interval '1 day'`.execute(
        db,
      );
      return Number(numAffectedRows);
    },
  };
};

const namesOf = (actor: Actor) => ({ actor: actorReference(actor), actorName: actor.name });

/** @returns whether there is such a gift */
const lockBoth = async (trx: Trx, id: string): Promise<boolean> => {
  const { rows } = await sql`
    select from members
    where id in (select unnest(array[from_member, to_member]) from reward_gifts where id = ${id})
    order by id for no key update`.execute(trx);
  return rows.length > 0;
};

const lockGift = (trx: Trx, id: string) =>
  trx.selectFrom('reward_gifts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** By the member and those merged into it. */
const givenOn = async (trx: Trx, memberId: string, day: string): Promise<number> => {
  const { rows } = await sql<{ points: string }>`
    select coalesce(sum(points), 0) as points
    from members join reward_gifts as gift on gift.from_member = members.id
    where (members.id = ${memberId} or members.merged_into = ${memberId}) and gift.day = ${day}::date`.execute(
    trx,
  );
  return Number(rows[0]?.points ?? 0);
};
