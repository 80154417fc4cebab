import { type RawBuilder, sql } from 'kysely';
import type { FirstVisitTerms, IntervalTerms } from '#contracts/store/rewards.ts';

/**
 * A session counts for this many days from its start; time that does not complete an interval within them is lost. This
 * limits what a round has to read, whatever the clock does.
 */
export const countedDays = 7;

/** A version of a rule, and the time in which it applies. */
export interface RuleWindow<Terms> {
  readonly ruleId: string;
  readonly name: string;
  readonly terms: Terms;
  readonly from: Date;
  readonly until: Date | null;
}

/** Whether a server (`played`) belongs to a rule. */
export const isInScope = ({
  games,
  serverIds,
}: Pick<IntervalTerms | FirstVisitTerms, 'games' | 'serverIds'>) =>
  games.length + serverIds.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`(played.game = any (${games}::text[]) or played.id = any (${serverIds}::text[]))`;

/**
 * Whether a session (`stay` of `player`) earns: where no one trusts a server, it could claim that anyone is there, so it
 * counts only for members who were first seen on it.
 */
const mayEarn = sql<boolean>`case
  when exists (select from chat_trusts as trust where trust.server_id = stay.server_id and trust.is_trusted) then true
  else stay.server_id = (
    select first.server_id from players as own join player_sessions as first on first.player_id = own.id
    where own.member_id = player.member_id order by first.id limit 1) end`;

/** Members with a player seen since then where the rule applies. */
export const seenMembers = (
  { terms }: Pick<RuleWindow<IntervalTerms | FirstVisitTerms>, 'terms'>,
  since: Date,
): RawBuilder<unknown> => sql`
  select distinct player.member_id
  from game_servers as played
  join player_sessions as stay on stay.server_id = played.id and stay.last_seen_at > ${since}
  join players as player on player.id = stay.player_id
  where ${isInScope(terms)} and ${mayEarn}`;

/**
 * CTEs `stay` and `available`: for each member, the time online that no interval was paid for. Players on several servers at
 * the same time count as one stretch. Paid time is read from twice as far back: a session that overlaps one that still
 * counts began no earlier than that.
 */
export const availableTime = (
  { ruleId, terms, from, until }: RuleWindow<IntervalTerms>,
  members: RawBuilder<unknown>,
  now: Date,
): RawBuilder<unknown> => {
  const begins = sql`greatest(stay.joined_at, ${from}::timestamptz)`;
  const ends = sql`least(stay.last_seen_at, stay.joined_at + make_interval(days => ${countedDays}), ${until}::timestamptz)`;
  return sql`
    stay as materialized (
      select player.member_id, stay.id, counted.counted,
             case when stay.joined_at > ${now}::timestamptz - make_interval(days => ${countedDays}) and ${begins} < ${ends} and ${mayEarn}
               then tstzrange(${begins}, ${ends}) end as online
      from players as player
      join player_sessions as stay on stay.player_id = player.id
        and stay.joined_at > ${now}::timestamptz - make_interval(days => ${2 * countedDays})
      join game_servers as played on played.id = stay.server_id
      left join reward_counted_times as counted on counted.rule_id = ${ruleId} and counted.session_id = stay.id
      where player.member_id in (${members}) and ${isInScope(terms)}
    ), available as (
      select member_id, range_agg(online) - coalesce(range_agg(counted), '{}'::tstzmultirange) as times
      from stay group by member_id having range_agg(online) is not null
    ), piece as (
      select member_id, lower(part) as began, upper(part) as ended,
             sum(lasted) over (partition by member_id order by lower(part)) - lasted as ms_before, lasted as ms
      from (
        select member_id, part, (extract(epoch from upper(part) - lower(part)) * 1000)::bigint as lasted
        from available cross join unnest(times) as part
      ) as parts
    )`;
};
