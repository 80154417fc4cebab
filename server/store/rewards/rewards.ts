import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { MemberDetails } from '#contracts/people/members.ts';
import type { DailyClaim, DailyTerms } from '#contracts/store/rewards.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { StoreContext } from '../store-context.ts';
import { createCodeBatches } from './code-batches.ts';
import { readDay } from './community-day.ts';
import { createGifts } from './gifts.ts';
import { createRedeemCode } from './redeem-code.ts';
import { enterReward, readBalance } from './reward-entries.ts';
import { createRewardPayer } from './reward-payer.ts';
import { createRewardRules } from './reward-rules.ts';

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

/** Pays every daily rule once per day of the community. The ledger entry is its record; there is no audit row. */
const claimDaily = async (
  { db, members, settings, now }: Pick<StoreContext, 'db' | 'members' | 'settings' | 'now'>,
  memberId: string,
  by: AuditContext,
): Promise<DailyClaim | Refusal> => {
  const { timeZone } = await settings.values('general');
  return retryDeadlocks(db, async (trx): Promise<DailyClaim | Refusal> => {
    const refused = await members.hold(trx, [memberId]);
    if (isRefusal(refused)) return refused;
    const rules = await readOpenRules(trx);
    if (rules.length === 0) return refuse('REWARD_UNAVAILABLE', reasons['no-daily-reward']);
    const { day, nextAt } = await readDay(trx, timeZone, new Date(now()));
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
export type Rewards = ReturnType<typeof createRewards>;

export const createRewards = (
  context: Pick<StoreContext, 'db' | 'members' | 'settings' | 'licenseHolds' | 'now' | 'log'>,
) => {
  const { db, members, settings } = context;
  const now = () => new Date(context.now());
  const payer = createRewardPayer(context);
  const redeeming = createRedeemCode(context);
  const gifts = createGifts(context);
  return {
    rules: createRewardRules(db, now),
    batches: createCodeBatches(db),
    payer,
    claimDaily: (memberId: string, by: AuditContext) => claimDaily(context, memberId, by),
    redeem: redeeming.redeem,
    gifts,
    timeZone: async () => (await settings.values('general')).timeZone,
    /** The member of a Discord account that has a player; null: none is linked. */
    async linked(discordId: string): Promise<MemberDetails | null> {
      const member = await members.ofDiscord(discordId);
      return member && member.players.length > 0 ? member : null;
    },
    /** Deletes guesses and offers that no longer count. */
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
