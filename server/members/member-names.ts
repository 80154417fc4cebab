import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** Of each member, the name of the player who was seen last; empty for one that has none. A merged one has that of who is left. */
export const readMemberNames = async (
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map();
  // No `limit 1`: for it, the planner reads all players in the order in which they were seen.
  const { rows } = await sql<{ id: string; name: string | null }>`
    select member.id, (
      select (array_agg(name order by last_seen_at desc, id desc))[1] from players
      where member_id = coalesce(member.merged_into, member.id)
    ) as name
    from members as member where member.id = any (${ids}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name ?? '']));
};

/** A member's players, those who were seen last first. */
export const readPlayersOf = async (db: Kysely<Tables>, memberId: string) => {
  const players = await db
    .selectFrom('players')
    .select(['name', 'platform_id', 'game'])
    .where('member_id', '=', memberId)
    .orderBy('last_seen_at', 'desc')
    .execute();
  return players.map(({ platform_id: platformId, ...player }) => ({ ...player, platformId }));
};
