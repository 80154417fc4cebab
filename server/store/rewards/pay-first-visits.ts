import { type Kysely, sql } from 'kysely';
import type { FirstVisitTerms } from '#contracts/store/rewards.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isInScope, type RuleWindow, seenMembers } from './online-time.ts';

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

export const membersVisiting = async (
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
export const payFirstVisits = async (
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
