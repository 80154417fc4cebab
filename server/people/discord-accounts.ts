import { type Kysely, sql } from 'kysely';
import type { Tables } from '../kernel/database/tables.ts';

export const findOfDiscord = async (db: Kysely<Tables>, discordId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('members')
    .select('id')
    .where('discord_id', '=', discordId)
    .executeTakeFirst();
  return row?.id ?? null;
};

/** @returns the new member's id; null: the account already has one */
export const insertForDiscord = async (db: Kysely<Tables>, discordId: string): Promise<string | null> => {
  const row = await db
    .insertInto('members')
    .values({ discord_id: discordId })
    .onConflict((conflict) => conflict.column('discord_id').where('discord_id', 'is not', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
};

/** @returns the member that lost the account; null: there is none, or it has nothing but the account itself */
export const releaseDiscord = async (trx: Kysely<Tables>, discordId: string): Promise<string | null> => {
  const row = await trx
    .updateTable('members')
    .set((member) => ({ discord_id: null, version: member('version', '+', 1) }))
    .where('discord_id', '=', discordId)
    // Otherwise the wallet would belong to no one.
    .where('id', 'in', (players) => players.selectFrom('players').select('member_id'))
    .returning('id')
    .executeTakeFirst();
  if (!row) return null;
  // The account may have requested it.
  await trx.deleteFrom('member_link_codes').where('member_id', '=', row.id).execute();
  // Everyone on the Discord server is a member.
  const there = await trx
    .selectFrom('discord_guild_members')
    .select('discord_id')
    .where('discord_id', '=', discordId)
    .where('left_at', 'is', null)
    .execute();
  await openForAll(
    trx,
    there.map(({ discord_id }) => discord_id),
  );
  return row.id;
};

/** Creates a member for each account without one, as for a player who is seen for the first time. */
export const openForAll = async (trx: Kysely<Tables>, discordIds: readonly string[]): Promise<void> => {
  // The condition avoids using up member numbers on conflicts.
  await sql`
    insert into members (discord_id) select account.id from unnest(${discordIds}::text[]) as account (id)
    where not exists (select from members where discord_id = account.id) order by account.id
    on conflict (discord_id) where discord_id is not null do nothing`.execute(trx);
};

/** Removes the members of these accounts that have no player, no points and no history. */
export const removeEmpty = async (trx: Kysely<Tables>, discordIds: readonly string[]): Promise<void> => {
  const locked = await sql<{ id: string }>`
    select id from members where discord_id = any (${discordIds}::text[]) order by id for update`.execute(
    trx,
  );
  // While they are locked nothing new can refer to them.
  const { rows } = await sql<{ id: string }>`
    select member.id from members as member
    where member.id = any (${locked.rows.map(({ id }) => id)}::bigint[])
      and not exists (select from players where member_id = member.id)
      and not exists (select from members as merged where merged.merged_into = member.id)
      and not exists (select from member_merges where kept_id = member.id)
      and not exists (select from member_merges where merged_id = member.id)
      and not exists (select from ledger where from_member = member.id)
      and not exists (select from ledger where to_member = member.id)
      and not exists (select from orders where member_id = member.id)
      and not exists (select from orders where receiver_id = member.id)
      and not exists (select from order_lines where receiver_id = member.id)
      and not exists (select from deliveries where member_id = member.id)
      and not exists (select from entitlements where member_id = member.id)
      and not exists (select from shop_orders where receiver_id = member.id)
      and not exists (select from season_steps where member_id = member.id)
      and not exists (select from reward_intervals where member_id = member.id)
      and not exists (select from reward_first_visits where member_id = member.id)
      and not exists (select from reward_claims where member_id = member.id)
      and not exists (select from reward_code_uses where member_id = member.id)
      and not exists (select from reward_gifts where from_member = member.id)
      and not exists (select from reward_gifts where to_member = member.id)`.execute(trx);
  const ids = rows.map(({ id }) => id);
  for (const table of ['member_link_codes', 'wallets'] as const)
    await sql`delete from ${sql.table(table)} where member_id = any (${ids}::bigint[])`.execute(trx);
  await sql`delete from members where id = any (${ids}::bigint[])`.execute(trx);
};
