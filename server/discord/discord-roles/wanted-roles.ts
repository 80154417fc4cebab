import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';

export type RuleRow = Selectable<Tables['discord_role_rules']>;

/** The rules by which Castellan decides who has a role. */
export const decidesRole = ({ kind }: Pick<RuleRow, 'kind'>): boolean => kind !== 'whitelist';

/** Members with an account in Discord. */
const person = sql`members as person`;
const isThere = sql`person.discord_id is not null and person.erased_at is null`;

const wantedBy = ({ kind, role_id, amount }: RuleRow): RawBuilder<unknown>[] => {
  const columns = sql`${role_id}::text as role_id, person.discord_id, ${kind}::text as because, false as is_owed`;
  switch (kind) {
    case 'linked':
      return [
        sql`select ${columns} from ${person}
             where ${isThere} and exists (select from players where member_id = person.id)`,
      ];
    case 'points':
      return [
        sql`select ${columns} from ${person} join wallets on wallets.member_id = person.id
             where ${isThere} and balance >= ${amount}::bigint`,
      ];
    case 'hours':
      return [
        sql`select ${columns} from ${person} join (
               select players.member_id, sum(greatest(0, extract(epoch from session.last_seen_at - joined_at))) as seconds
                 from player_sessions as session join players on players.id = session.player_id
                where players.member_id in (select id from ${person} where ${isThere})
                group by 1) as played on played.member_id = person.id
             where ${isThere} and seconds >= ${amount}::bigint * 3600`,
      ];
    // Bought roles are wanted even without a rule.
    case 'bought':
    case 'whitelist':
      return [];
  }
};

/** Purchases that are neither refunded nor over, and, if deliveries are made, what is still owed. */
const boughtRoles = (mayDeliver: boolean): RawBuilder<unknown> => sql`
  select deliveries.line ->> 'roleId' as role_id, person.discord_id, 'bought' as because,
         state <> 'delivered' as is_owed
    from deliveries join members as own on own.id = deliveries.member_id
    join ${person} on person.id = coalesce(own.merged_into, own.id)
   where deliveries.line ->> 'kind' = 'role' and ${isThere}
     and (state = 'delivered' and refunded_at is null and not exists (
            select from entitlement_grants as given
             where given.delivery_id = deliveries.id and given.ended_at is not null)
       or ${mayDeliver} and state in ('pending', 'waiting') and (expires_at is null or expires_at > now()))`;

/** The account's unrefunded purchases of the role: at least one was for a time that is over. */
const hasEnded = sql`exists (
  select from ${person} join members as own on own.id = person.id or own.merged_into = person.id
    join deliveries on deliveries.member_id = own.id
    join entitlement_grants as given on given.delivery_id = deliveries.id
   where person.discord_id = holding.discord_id and deliveries.line ->> 'kind' = 'role'
     and deliveries.line ->> 'roleId' = holding.role_id and deliveries.refunded_at is null
     and given.revoked_at is null and given.ended_at is not null)`;

export interface DifferencesOptions {
  /** The enabled ones; a previewed rule counts as enabled. */
  readonly rules: readonly RuleRow[];
  /** It has no obstacle. */
  readonly isGivable: (roleId: string) => boolean;
  readonly mayDeliver: boolean;
}

/** Roles that Castellan decides about. */
const managedRoles = ({ rules, isGivable }: DifferencesOptions): string[] => [
  ...new Set(rules.filter(decidesRole).flatMap(({ role_id }) => (isGivable(role_id) ? [role_id] : []))),
];

/**
 * Common table expressions `wanted` (role_id, discord_id, because, is_owed) and `differences` (change, role_id,
 * discord_id, because) between it and the members of the Discord server. Bots are left alone. A role whose delivery is
 * owed is given even to someone who has it, so that Discord confirms it. None is given to someone who has not accepted the
 * rules yet, since a role skips them.
 * @param givable roles without an obstacle
 */
export const differences = (options: DifferencesOptions, givable: readonly string[]): RawBuilder<unknown> => {
  const { rules, mayDeliver } = options;
  const wanted = sql.join([...rules.flatMap(wantedBy), boughtRoles(mayDeliver)], sql` union all `);
  const managed = managedRoles(options);
  return sql`
    wanted as materialized (
      select role_id, discord_id, min(because) as because, bool_or(is_owed) as is_owed
        from (${wanted}) as every_reason group by 1, 2
    ), present as materialized (
      select discord_id, name, role_ids, is_pending from discord_guild_members where left_at is null and not is_bot
    ), holding as materialized (
      select discord_id, role_id from present cross join lateral unnest(role_ids) as role (role_id)
       where role_id = any (${givable}::text[])
    ), differences as materialized (
      select 'give' as change, wanted.role_id, wanted.discord_id, wanted.because
        from wanted join present using (discord_id) left join holding using (discord_id, role_id)
       where wanted.role_id = any (${givable}::text[]) and not is_pending
         and (is_owed or holding.role_id is null)
      union all
      select 'take', holding.role_id, holding.discord_id,
             case when bought.role_id is null then 'not-earned' when ${hasEnded} then 'ended' else 'refunded' end
        from holding left join wanted using (discord_id, role_id)
        left join discord_bought_roles as bought using (discord_id, role_id)
       where wanted.role_id is null and (holding.role_id = any (${managed}::text[]) or bought.role_id is not null)
    )`;
};
