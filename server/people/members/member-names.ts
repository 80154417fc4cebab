import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';

/** The name of each member's most recently seen player, otherwise the Discord name, after all merges; empty without either. */
export const readMemberNames = async (
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map();
  // No `limit 1`: with it, the planner would read all players by `last_seen_at`.
  const { rows } = await sql<{ id: string; name: string | null }>`
    select asked.id, coalesce((
      select (array_agg(name order by last_seen_at desc, id desc))[1] from players where member_id = member.id
    ), (
      select name from discord_guild_members where discord_id = member.discord_id
    )) as name
    from members as asked join members as member on member.id = coalesce(asked.merged_into, asked.id)
    where asked.id = any (${ids}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name ?? '']));
};

export interface WhoseInDiscord {
  readonly discordId: string;
  readonly username: string;
}

/** As Discord allows them; a name with any other characters could read like a sentence of ours. */
const usernames = /^[\w.]{2,32}$/;

/** The member's unique Discord name; null for a member who is not on the Discord server. */
export const readInDiscord = async (db: Kysely<Tables>, id: string): Promise<WhoseInDiscord | null> => {
  const listed = await db
    .selectFrom('members')
    .innerJoin('discord_guild_members as listed', 'listed.discord_id', 'members.discord_id')
    .select(['listed.discord_id', 'username'])
    .where('members.id', '=', id)
    .where('left_at', 'is', null)
    .executeTakeFirst();
  if (!listed || !usernames.test(listed.username)) return null;
  return { discordId: listed.discord_id, username: listed.username };
};

/** What tells a member apart from all others, for people: the unique Discord user name, otherwise a name or number. */
export const readWhose = async (db: Kysely<Tables>, id: string): Promise<string> => {
  const member = await db
    .selectFrom('members')
    .leftJoin('discord_guild_members as listed', 'listed.discord_id', 'members.discord_id')
    .select(['members.discord_id', 'username'])
    .where('members.id', '=', id)
    .executeTakeFirst();
  if (member?.discord_id) return `Discord ${member.username || member.discord_id}`;
  return (await readMemberNames(db, [id])).get(id) || id;
};

/** A member's players, the most recently seen first. */
export const readPlayersOf = async (db: Kysely<Tables>, memberId: string) => {
  const players = await db
    .selectFrom('players')
    .select(['name', 'platform_id', 'game'])
    .where('member_id', '=', memberId)
    .orderBy('last_seen_at', 'desc')
    .execute();
  return players.map(({ platform_id: platformId, ...player }) => ({ ...player, platformId }));
};
