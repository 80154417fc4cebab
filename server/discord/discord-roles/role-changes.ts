import { type Kysely, sql, type Transaction } from 'kysely';
import type { RoleChange, RoleChangeOutcome } from '#contracts/discord/discord-roles.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { thisMachine } from '../../kernel/access/authorize.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { RolesNow } from './known-roles.ts';
import { type DifferencesOptions, differences } from './wanted-roles.ts';

/** The roles that are sold here, from their deliveries. */
export interface SoldRoles {
  /** Discord has confirmed that the member has the role. */
  settle(
    trx: Transaction<Tables>,
    given: { readonly discordId: string; readonly roleId: string },
  ): Promise<void>;
  changed(): void;
}

/** Changes between the bot and its Discord server. Each is a row until it is settled, so that a death on either side repeats it. */
export interface RoleChanges {
  /**
   * Writes what is to be changed, and forgets what no longer is.
   * @returns how many more changes each role needs, which are written later
   */
  refill(
    how: Omit<DifferencesOptions, 'isGivable'> & { readonly now: RolesNow },
  ): Promise<ReadonlyMap<string, number>>;
  /**
   * The next change for the bot, which is done with the previous one. One at a time, so that nothing is made that was
   * refunded, switched off or forbidden while others waited for Discord.
   * @param now null: nothing may be changed now
   */
  take(now: RolesNow | null): Promise<RoleChange[]>;
  /** What the bot may do has changed, or a person asks for a delivery: failed changes are retried now. */
  retry(deliveryId?: string): Promise<void>;
  settle(
    id: string,
    outcome: RoleChangeOutcome,
    roleName: (roleId: string) => string | null,
    by: AuditContext,
  ): Promise<void>;
}

/** Written together: Discord takes about one change a second. */
const mostOwed = 100;
/** After this time the members that the bot reports show the result of a change. */
const settlingSeconds = 120;
const doubt = { firstMs: 2000, mostMs: 600_000, jitter: 0.2 } as const;
const retry = { firstMs: 30_000, mostMs: 3_600_000, jitter: 0.2 } as const;

/** No one asks: a change was seen whose report was lost. */
const itself: AuditContext = { actor: { ...thisMachine, id: 'discord-roles' }, address: '127.0.0.1' };

interface Changed extends Pick<RoleChange, 'discordId' | 'roleId' | 'change' | 'because'> {
  readonly roleName: string | null;
}

/** By the account's id alone: an erased person leaves no name here. */
const audit = (trx: Kysely<Tables>, by: AuditContext, changed: Changed) => {
  const { discordId, roleId, roleName, change, because } = changed;
  return recordAudit(trx, {
    ...by,
    action: change === 'give' ? 'discord.give-role' : 'discord.take-role',
    target: `discord-user:${discordId}`,
    after: { role: roleName, roleId, because },
  });
};

const givableRoles = ({ roles }: RolesNow): string[] =>
  (roles ?? []).filter(({ obstacle }) => obstacle === null).map(({ id }) => id);

/** Whether the members of the Discord server show the change. */
const isMade = (change: 'dropped' | 'owed') => sql`
  ((${sql.ref(change)}.change = 'give') = exists (
    select from present where present.discord_id = ${sql.ref(change)}.discord_id
       and ${sql.ref(change)}.role_id = any (present.role_ids)))`;

/** Tries soon what Discord refused to do; for one delivery, or for all. */
export const retryRoleChanges = async (db: Kysely<Tables>, deliveryId?: string): Promise<void> => {
  const failed = db
    .updateTable('discord_role_changes')
    .set({ next_try_at: sql<Date>`now()` })
    .where('tries', '>', 0);
  if (deliveryId === undefined) await failed.execute();
  else
    await failed
      .where(
        sql<boolean>`(discord_id, role_id) in (
          select person.discord_id, deliveries.line ->> 'roleId'
            from deliveries join members as own on own.id = deliveries.member_id
            join members as person on person.id = coalesce(own.merged_into, own.id)
           where deliveries.id = ${deliveryId} and deliveries.line ->> 'kind' = 'role')`,
      )
      .execute();
};

export const createRoleChanges = ({
  db,
  sold,
}: {
  readonly db: Kysely<Tables>;
  readonly sold: SoldRoles;
}): RoleChanges => ({
  refill: ({ now, ...how }) =>
    retryDeadlocks(db, async (trx) => {
      const givable = givableRoles(now);
      const isGivable = (roleId: string) => givable.includes(roleId);
      const { rows } = await sql<{
        readonly id: string;
        readonly discordId: string;
        readonly roleId: string;
        readonly change: RoleChange['change'];
        readonly because: RoleChange['because'];
        readonly isMade: boolean;
        /** Null: the row was dropped. */
        readonly left: number | null;
      }>`
        with ${differences({ ...how, isGivable }, givable)}, dropped as (
          delete from discord_role_changes as owed
           where not exists (
             select from differences where role_id = owed.role_id and discord_id = owed.discord_id
                and change = owed.change)
             and not is_with_bot
             and (handed_at is null or ${isMade('owed')} or handed_at < now() - make_interval(secs => ${settlingSeconds}))
          returning *
        ), kept as (
          update discord_role_changes as owed set is_wanted = not is_wanted
           where (is_with_bot or handed_at >= now() - make_interval(secs => ${settlingSeconds}))
             and is_wanted <> exists (
               select from differences where role_id = owed.role_id and discord_id = owed.discord_id
                  and change = owed.change)
        ), forgotten as (
          delete from discord_bought_roles as bought
           where not exists (
             select from wanted where role_id = bought.role_id and discord_id = bought.discord_id)
             and not exists (
               select from present where discord_id = bought.discord_id and bought.role_id = any (role_ids))
             -- The bot may be giving it at this moment.
             and not exists (
               select from discord_role_changes
                where role_id = bought.role_id and discord_id = bought.discord_id)
        ), fresh as materialized (
          select * from differences where not exists (
            select from discord_role_changes as owed
             where owed.role_id = differences.role_id and owed.discord_id = differences.discord_id)
        ), added as (
          insert into discord_role_changes (id, discord_id, role_id, change, because)
          select gen_random_uuid()::text, discord_id, role_id, change, because from fresh
           order by because = 'bought' desc, because in ('refunded', 'ended') desc, change desc, role_id, discord_id
           limit greatest(0, ${mostOwed} - (select count(*) from discord_role_changes where tries = 0))
          on conflict do nothing
          returning discord_id, role_id
        )
        select dropped.id, discord_id as "discordId", role_id as "roleId", change, because,
               handed_at is not null and ${isMade('dropped')} as "isMade",
               null::int as left
          from dropped
        union all
        select '', '', role_id, 'give', '', false, count(*)::int
          from fresh
         where (discord_id, role_id) not in (select discord_id, role_id from added) group by role_id
      `.execute(trx);
      for (const row of rows)
        if (row.isMade) await audit(trx, itself, { ...row, roleName: now.nameOf(row.roleId) });
      return new Map(rows.flatMap(({ roleId, left }) => (left === null ? [] : [[roleId, left]])));
    }),

  async take(now) {
    // What a purchase may give is known before the bot is told: a refund in between takes it back.
    const { rows } = await sql<RoleChange>`
      with next as (
        select id from discord_role_changes as owed
         where next_try_at <= now() and is_wanted and role_id = any (${now ? givableRoles(now) : []}::text[])
           -- The rule may have been switched off since it was written down.
           and (because in ('bought', 'refunded', 'ended') or exists (
             select from discord_role_rules as rule
              where rule.role_id = owed.role_id and is_enabled and kind <> 'whitelist'))
         -- What was paid for comes first, and what failed holds up nothing that is fresh.
         order by because in ('bought', 'refunded', 'ended') desc, tries > 0, next_try_at, id limit 1 for update skip locked
      ), freed as (
        update discord_role_changes set is_with_bot = false
         where is_with_bot and id not in (select id from next)
      ), handed as (
        update discord_role_changes set handed_at = now(), is_with_bot = true
         where id in (select id from next)
        returning *
      ), bought as (
        insert into discord_bought_roles (discord_id, role_id)
        select discord_id, role_id from handed where change = 'give' and because = 'bought'
        on conflict do nothing
      )
      select id, discord_id as "discordId", role_id as "roleId", change, because from handed`.execute(db);
    return rows;
  },

  retry: (deliveryId) => retryRoleChanges(db, deliveryId),

  settle: (id, outcome, roleName, by) =>
    retryDeadlocks(db, async (trx) => {
      // Orders and deliveries are locked before what is settled here; a second report of the same change then finds none.
      const row = await trx
        .selectFrom('discord_role_changes')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row) return;
      const { discord_id: discordId, role_id: roleId, change, because, tries } = row;
      if (outcome !== 'done') {
        const isInDoubt = outcome === 'in-doubt';
        const wait = backOffDelay(isInDoubt ? doubt : retry, tries + 1, Math.random());
        await trx
          .updateTable('discord_role_changes')
          .set({
            tries: tries + 1,
            obstacle: isInDoubt || outcome === 'member-gone' ? null : outcome,
            handed_at: isInDoubt ? sql<Date>`now()` : null,
            is_with_bot: false,
            next_try_at: sql<Date>`now() + ${wait}::float8 * interval '1 millisecond'`,
          })
          .where('id', '=', id)
          .execute();
        return;
      }
      if (change === 'give') await sold.settle(trx, { discordId, roleId });
      else
        await sql`delete from discord_bought_roles where discord_id = ${discordId} and role_id = ${roleId}`.execute(
          trx,
        );
      const { numDeletedRows } = await trx
        .deleteFrom('discord_role_changes')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) return;
      // The bot's own report of the member will say the same; until then nothing is changed twice.
      await sql`
        update discord_guild_members
           set role_ids = case ${change} when 'give' then array_append(array_remove(role_ids, ${roleId}), ${roleId})
                          else array_remove(role_ids, ${roleId}) end
         where discord_id = ${discordId}`.execute(trx);
      await audit(trx, by, { discordId, roleId, roleName: roleName(roleId), change, because });
    }).then(() => sold.changed()),
});
