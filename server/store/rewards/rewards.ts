import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { MemberDetails } from '#contracts/people/members.ts';
import type { DailyClaim, DailyTerms } from '#contracts/store/rewards.ts';
import type { Log } from '#runtime/log.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { type CodeBatches, createCodeBatches } from './code-batches.ts';
import { readDay } from './community-day.ts';
import { createGifts, type Gifts, type GiftsOptions } from './gifts.ts';
import { createRedeemCode, type RedeemCode } from './redeem-code.ts';
import { enterReward, readBalance } from './reward-entries.ts';
import { createRewardPayer, type RewardPayer } from './reward-payer.ts';
import { createRewardRules, type RewardRules } from './reward-rules.ts';

/** Pays every daily rule once per day of the community. The ledger entry is its record; there is no audit row. */
type ClaimDaily = (memberId: string, by: AuditContext) => Promise<DailyClaim | Refusal>;

interface OpenRule {
  readonly ruleId: string;
  readonly name: string;
  readonly terms: DailyTerms;
}
interface Claim {
  readonly streak: number;
  readonly points: number;
  readonly isNew: boolean;
}

type Trx = Kysely<Tables>;

const createClaimDaily = ({
  db,
  hold,
  timeZone,
  now,
}: {
  readonly db: Kysely<Tables>;
  /** Locks members against merging and erasing until the transaction ends; refuses merged and erased ones. */
  readonly hold: (trx: Kysely<Tables>, ids: readonly string[]) => Promise<Refusal | null>;
  readonly timeZone: () => Promise<string>;
  readonly now: () => Date;
}): ClaimDaily => {
  return async (memberId, by) => {
    const zone = await timeZone();
    return retryDeadlocks(db, async (trx): Promise<DailyClaim | Refusal> => {
      const refused = await hold(trx, [memberId]);
      if (isRefusal(refused)) return refused;
      const rules = await readOpenRules(trx);
      if (rules.length === 0) return refuse('REWARD_UNAVAILABLE', reasons['no-daily-reward']);
      const { day, nextAt } = await readDay(trx, zone, now());
      const claims: Claim[] = [];
      for (const rule of rules) claims.push(await claim(trx, rule, memberId, day, by));
      const fresh = claims.filter(({ isNew }) => isNew);
      return {
        isNew: fresh.length > 0,
        points: fresh.reduce((sum, { points }) => sum + points, 0),
        streak: Math.max(...claims.map(({ streak }) => streak)),
        nextAt: nextAt.toISOString(),
        balance: await readBalance(trx, memberId),
      };
    });
  };
};

const readOpenRules = async (trx: Trx): Promise<readonly OpenRule[]> => {
  const rows = await trx
    .selectFrom('reward_rule_versions')
    .select(['rule_id', 'name', 'terms'])
    .where('kind', '=', 'daily')
    .where('effective_until', 'is', null)
    .orderBy('rule_id')
    .forShare()
    .execute();
  return rows.flatMap(({ rule_id: ruleId, name, terms }) =>
    terms.kind === 'daily' ? [{ ruleId, name, terms }] : [],
  );
};

/** What the member, or one merged into it, has claimed recently. */
const readClaims = async (trx: Trx, ruleId: string, memberId: string, day: string) => {
  const { rows } = await sql<{ today: number | null; yesterday: number | null }>`
    select max(streak) filter (where day = ${day}::date) as today,
           max(streak) filter (where day = ${day}::date - 1) as yesterday
    from reward_claims join members on members.id = reward_claims.member_id
    where rule_id = ${ruleId} and day >= ${day}::date - 1
      and (members.id = ${memberId} or members.merged_into = ${memberId})`.execute(trx);
  return { today: rows[0]?.today ?? null, yesterday: rows[0]?.yesterday ?? 0 };
};

const claim = async (
  trx: Trx,
  { ruleId, name, terms }: OpenRule,
  memberId: string,
  day: string,
  { actor }: AuditContext,
): Promise<Claim> => {
  const { today, yesterday } = await readClaims(trx, ruleId, memberId, day);
  if (today !== null) return { streak: today, points: 0, isNew: false };
  const streak = yesterday + 1;
  const points = terms.points + terms.streakPoints * Math.min(streak - 1, terms.streakDays);
  const made = await trx
    .insertInto('reward_claims')
    .values({ rule_id: ruleId, member_id: memberId, day, streak, points })
    .onConflict((conflict) => conflict.doNothing())
    .returning('day')
    .executeTakeFirst();
  // Another request of the member was first.
  if (!made) return { streak, points: 0, isNew: false };
  await enterReward(trx, { memberId, points, kind: 'daily', name }, actor);
  return { streak, points, isNew: true };
};

/** What gives members points besides the store: rules, codes, and members themselves. */
export interface Rewards extends AsyncDisposable {
  readonly rules: RewardRules;
  readonly batches: CodeBatches;
  readonly payer: RewardPayer;
  readonly claimDaily: ClaimDaily;
  readonly redeem: RedeemCode['redeem'];
  readonly gifts: Gifts;
  readonly timeZone: () => Promise<string>;
  /** The member of a Discord account that has a player; null: none is linked. */
  linked(discordId: string): Promise<MemberDetails | null>;
  /** Deletes guesses and offers that no longer count. */
  readonly maintenance: { readonly name: string; run(): Promise<number> };
}

export const createRewards = (options: {
  readonly db: Kysely<Tables>;
  readonly members: {
    hold(trx: Kysely<Tables>, ids: readonly string[]): Promise<Refusal | null>;
    read(id: string): Promise<MemberDetails | Refusal>;
    ofDiscord(discordId: string): Promise<MemberDetails | null>;
  };
  readonly move: GiftsOptions['move'];
  readonly giftSettings: GiftsOptions['settings'];
  /** The community's. */
  readonly timeZone: () => Promise<string>;
  readonly licenseHolds: () => boolean;
  readonly now?: () => Date;
  readonly log: Log;
}): Rewards => {
  const { db, members, move, giftSettings, timeZone, licenseHolds, now = () => new Date(), log } = options;
  const { hold } = members;
  const payer = createRewardPayer({ db, timeZone, licenseHolds, now, log });
  const redeeming = createRedeemCode({ db, hold, now });
  const gifts = createGifts({
    db,
    hold,
    move,
    async nameOf(id) {
      const member = await members.read(id);
      return isRefusal(member) ? '' : member.name;
    },
    settings: giftSettings,
    timeZone,
    now,
  });
  return {
    rules: createRewardRules(db, now),
    batches: createCodeBatches(db),
    payer,
    claimDaily: createClaimDaily({ db, hold, timeZone, now }),
    redeem: redeeming.redeem,
    gifts,
    timeZone,
    async linked(discordId) {
      const member = await members.ofDiscord(discordId);
      return member && member.players.length > 0 ? member : null;
    },
    maintenance: {
      name: 'rewards',
      async run() {
        await redeeming.tidy();
        return gifts.tidy();
      },
    },
    [Symbol.asyncDispose]: () => payer[Symbol.asyncDispose](),
  };
};
