import { type Kysely, sql } from 'kysely';
import type { IntervalTerms } from '#contracts/store/rewards.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { dayAt } from './community-day.ts';
import { availableTime, type RuleWindow, seenMembers } from './online-time.ts';

type IntervalWindow = RuleWindow<IntervalTerms>;
const intervalMs = ({ minutes }: IntervalTerms): number => minutes * 60_000;

/** Members seen since then who are owed an interval. */
export const membersDue = async (
  db: Kysely<Tables>,
  rule: IntervalWindow,
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<readonly string[]> => {
  const { rows } = await sql<{ member_id: string }>`
    with seen as materialized (${seenMembers(rule, since)}),
    ${availableTime(rule, sql`select member_id from seen`, now)}
    select member_id from piece group by member_id having sum(ms) >= ${intervalMs(rule.terms)}
    order by member_id`.execute(db);
  return rows.map(({ member_id }) => member_id);
};

interface PaidIntervals {
  readonly intervals: number;
  readonly points: number;
}

/**
 * Pays what these members are due: oldest time first, each stretch once. An interval belongs to the day of its last moment;
 * beyond the day's limit it counts without points. The caller holds the members, and is the only one paying.
 */
export const payIntervals = async (
  trx: Kysely<Tables>,
  rule: IntervalWindow,
  memberIds: readonly string[],
  { now, zone }: { readonly now: Date; readonly zone: string },
): Promise<PaidIntervals> => {
  const { ruleId, name, terms } = rule;
  const { points, mostPerDay } = terms;
  const eachMs = intervalMs(terms);
  const members = sql`select unnest(${memberIds}::bigint[])`;
  const lastMoment = sql`began + (number * ${eachMs}::bigint - ms_before - 1) * interval '1 millisecond'`;
  const { rows } = await sql<{ intervals: string; points: string }>`
    with ${availableTime(rule, members, now)},
    due as (
      select member_id, floor(sum(ms) / ${eachMs}::bigint)::bigint as count from piece
      group by member_id having sum(ms) >= ${eachMs}::bigint
    ), taken as (
      select member_id, range_agg(tstzrange(
               began, least(ended, began + (due.count * ${eachMs}::bigint - ms_before) * interval '1 millisecond'))) as times
      from piece join due using (member_id) where ms_before < due.count * ${eachMs}::bigint
      group by member_id
    ), whole as (
      select member_id, number, ${lastMoment} as at, ${dayAt(lastMoment, zone)} as day
      from piece join due using (member_id)
      cross join generate_series(
        floor(ms_before / ${eachMs}::bigint)::bigint + 1, least(due.count, floor((ms_before + ms) / ${eachMs}::bigint)::bigint)) as number
    ), given as (
      select span.member_id, paid.day, sum(paid.points) as points
      from (select member_id, min(day) as first_day, max(day) as last_day from whole group by member_id) as span
      cross join lateral (
        select span.member_id as id union all select id from members where merged_into = span.member_id) as one
      cross join lateral (
        select day, points from reward_intervals
        where member_id = one.id and rule_id = ${ruleId} and day between first_day and last_day) as paid
      group by 1, 2
    ), before as (
      select member_id, (
        select coalesce(max(number), 0) from reward_intervals
        where rule_id = ${ruleId} and reward_intervals.member_id = due.member_id) as count
      from due
    ), earned as (
      select whole.member_id, before.count + whole.number as number, whole.at, whole.day,
             least(${points}::bigint, greatest(0, coalesce(${mostPerDay}::bigint, ${Number.MAX_SAFE_INTEGER}::bigint) - coalesce(given.points, 0)
               - ${points}::bigint * (row_number() over (partition by whole.member_id, whole.day order by whole.number) - 1)))::bigint as points
      from whole join before using (member_id) left join given using (member_id, day)
    ), marked as (
      insert into reward_counted_times as known (rule_id, session_id, counted)
      select ${ruleId}, stay.id, taken.times * tstzmultirange(stay.online)
      from stay join taken using (member_id)
      where stay.online is not null and taken.times && stay.online
      on conflict (rule_id, session_id) do update set counted = known.counted + excluded.counted
    ), written as (
      insert into reward_intervals (rule_id, member_id, number, ended_at, day, points)
      select ${ruleId}, member_id, number, at + interval '1 millisecond', day, points from earned
      returning points
    ), entered as (
      insert into ledger (kind, from_account, to_account, to_member, amount, actor, reward_kind, reward_name)
      select 'reward', 'issued', 'wallet', member_id, points, 'castellan', 'interval', ${name}
      from earned where points > 0 order by member_id, number
    )
    select count(*) as intervals, coalesce(sum(points), 0) as points from written`.execute(trx);
  return { intervals: Number(rows[0]?.intervals ?? 0), points: Number(rows[0]?.points ?? 0) };
};
