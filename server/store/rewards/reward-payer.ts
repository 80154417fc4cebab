import { type Kysely, sql } from 'kysely';
import type { FirstVisitTerms, RewardTerms } from '#contracts/store/rewards.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { StoreContext } from '../store-context.ts';
import { countedDays, isInScope, type RuleWindow, seenMembers } from './online-time.ts';
import { membersDue, payIntervals } from './pay-intervals.ts';

type VisitWindow = RuleWindow<FirstVisitTerms>;

/** Paid neither to the member nor to one merged into it. */
const isUnpaid = (ruleId: string) => sql`not exists (
  select from members as one join reward_first_visits as paid on paid.member_id = one.id
  where (one.id = seen.member_id or one.merged_into = seen.member_id) and paid.rule_id = ${ruleId})`;

/** Came for the first time while the rule applied. */
const cameFirst = ({ terms, from, until }: VisitWindow) => sql`(
  select min(stay.joined_at) >= ${from}::timestamptz and min(stay.joined_at) < coalesce(${until}::timestamptz, 'infinity')
  from players as player join player_sessions as stay on stay.player_id = player.id
  join game_servers as played on played.id = stay.server_id
  where player.member_id = seen.member_id and ${isInScope(terms)})`;

const membersVisiting = async (
  db: Kysely<Tables>,
  rule: VisitWindow,
  since: Date,
): Promise<readonly string[]> => {
  const { rows } = await sql<{ member_id: string }>`
    with seen as materialized (${seenMembers(rule, since)})
    select member_id from seen where ${isUnpaid(rule.ruleId)} and ${cameFirst(rule)}
    order by member_id`.execute(db);
  return rows.map(({ member_id }) => member_id);
};

/** Pays each of them once, ever. The caller holds the members. @returns how many were paid */
const payFirstVisits = async (
  trx: Kysely<Tables>,
  rule: VisitWindow,
  memberIds: readonly string[],
): Promise<number> => {
  const { ruleId, name, terms } = rule;
  const { rows } = await sql<{ paid: number }>`
    with written as (
      insert into reward_first_visits (rule_id, member_id)
      select ${ruleId}, seen.member_id from unnest(${memberIds}::bigint[]) as seen (member_id)
      where ${isUnpaid(ruleId)} and ${cameFirst(rule)}
      on conflict do nothing returning member_id
    ), entered as (
      insert into ledger (kind, from_account, to_account, to_member, amount, actor, reward_kind, reward_name)
      select 'reward', 'issued', 'wallet', member_id, ${terms.points}::bigint, 'castellan', 'first-visit', ${name}
      from written order by member_id
    )
    select count(*)::int as paid from written`.execute(trx);
  return rows[0]?.paid ?? 0;
};

/** What a round paid. */
export interface PaidRound {
  readonly rewards: number;
  /** False: another process was paying, or the process is stopping. */
  readonly isComplete: boolean;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** A round each minute checks players seen recently; sessions written late wait for a full round. */
const recentMs = 15 * minuteMs;
const fullEveryRounds = 60;
/** Members per transaction: some tens of milliseconds during which they can be neither merged nor erased. */
const batchSize = 500;

type Trx = Kysely<Tables>;
interface Due {
  readonly rule: RuleWindow<RewardTerms> & { readonly version: number };
  readonly memberIds: readonly string[];
}

export const createRewardPayer = ({
  db,
  settings,
  licenseHolds,
  now,
  log,
}: Pick<StoreContext, 'db' | 'settings' | 'licenseHolds' | 'now' | 'log'>) => {
  let roundsUntilFull = 0;
  let timer: Disposable | null = null;
  let isStopping = false;

  const findDue = async (rule: Due['rule'], at: Date, since: Date): Promise<readonly string[]> => {
    const { terms } = rule;
    if (terms.kind === 'interval') return membersDue(db, { ...rule, terms }, { now: at, since });
    return terms.kind === 'first-visit' ? membersVisiting(db, { ...rule, terms }, since) : [];
  };

  /** Null: another process is paying right now. */
  const payBatch = ({ rule, memberIds }: Due, at: Date, zone: string): Promise<number | null> =>
    retryDeadlocks(db, async (trx) => {
      if (!(await takeTurn(trx))) return null;
      await sql`select from members where id = any (${memberIds}::bigint[]) order by id for share`.execute(
        trx,
      );
      const held = await readWindow(trx, rule);
      if (!held) return 0;
      const { terms } = held;
      if (terms.kind === 'interval') {
        const paid = await payIntervals(trx, { ...held, terms }, memberIds, { now: at, zone });
        return paid.intervals;
      }
      return terms.kind === 'first-visit' ? payFirstVisits(trx, { ...held, terms }, memberIds) : 0;
    });

  const payAll = async (isFull: boolean): Promise<PaidRound> => {
    // The clock that sessions are written by. It decides how far back to look, never whether something is paid twice.
    const at = new Date(now());
    const since = new Date(at.getTime() - (isFull ? countedDays * dayMs : recentMs));
    const zone = (await settings.values('general')).timeZone;
    let rewards = 0;
    for (const rule of await readWindows(db, at)) {
      const memberIds = await findDue(rule, at, since);
      for (let index = 0; index < memberIds.length; index += batchSize) {
        if (isStopping || !licenseHolds()) return { rewards, isComplete: false };
        const paid = await payBatch({ rule, memberIds: memberIds.slice(index, index + batchSize) }, at, zone);
        if (paid === null) return { rewards, isComplete: false };
        rewards += paid;
      }
    }
    return { rewards, isComplete: true };
  };

  const round = singleFlight(async (isAskedFull: boolean = false): Promise<PaidRound> => {
    if (!licenseHolds()) {
      roundsUntilFull = 0;
      return { rewards: 0, isComplete: false };
    }
    const isFull = isAskedFull || roundsUntilFull <= 0;
    const paid = await payAll(isFull);
    if (!isFull) roundsUntilFull -= 1;
    else if (paid.isComplete) roundsUntilFull = fullEveryRounds;
    return paid;
  });

  return {
    /** A call during a running round gets that round's result. @param isFull includes everyone who may be owed something */
    round,
    /** Call it once the schema is ready. */
    begin(): void {
      timer ??= runPeriodically({
        intervalMs: minuteMs,
        startsAtOnce: true,
        work: () => round(),
        failure: 'could not pay rewards; will retry in a minute',
        log,
      });
    },
    async [Symbol.asyncDispose]() {
      isStopping = true;
      timer?.[Symbol.dispose]();
      await round.underWay()?.catch(() => undefined);
    },
  };
};

/** One process pays at a time; later statements see everything that the previous one has paid. */
const takeTurn = async (trx: Trx): Promise<boolean> => {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('rewards', 0)) as taken`.execute(trx);
  return rows[0]?.taken === true;
};

/** Versions that may still owe something. */
const readWindows = async (db: Kysely<Tables>, at: Date): Promise<readonly Due['rule'][]> => {
  const rows = await db
    .selectFrom('reward_rule_versions')
    .selectAll()
    .where('kind', 'in', ['interval', 'first-visit'])
    .where((where) =>
      where.or([
        where('effective_until', 'is', null),
        where('effective_until', '>', new Date(at.getTime() - 2 * countedDays * dayMs)),
      ]),
    )
    .orderBy('rule_id')
    .orderBy('version')
    .execute();
  return rows.map(toWindow);
};

/** The current version, locked until the transaction ends. */
const readWindow = async (trx: Trx, { ruleId, version }: Due['rule']): Promise<Due['rule'] | null> => {
  const row = await trx
    .selectFrom('reward_rule_versions')
    .selectAll()
    .where('rule_id', '=', ruleId)
    .where('version', '=', version)
    .forShare()
    .executeTakeFirst();
  return row ? toWindow(row) : null;
};

const toWindow = (row: {
  readonly rule_id: string;
  readonly version: number;
  readonly name: string;
  readonly terms: RewardTerms;
  readonly effective_from: Date;
  readonly effective_until: Date | null;
}): Due['rule'] => ({
  ruleId: row.rule_id,
  version: row.version,
  name: row.name,
  terms: row.terms,
  from: row.effective_from,
  until: row.effective_until,
});
