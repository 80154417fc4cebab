import type { Kysely } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';

/** The Discord account of the player's member; null without one. A player known only by name has none here: anyone can use a name. */
export const readDiscordOf = async (db: Kysely<Tables>, playerId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('players as player')
    .innerJoin('members as member', 'member.id', 'player.member_id')
    .select('member.discord_id')
    .where('player.id', '=', playerId)
    .where('player.platform_id', 'is not', null)
    .executeTakeFirst();
  return row?.discord_id ?? null;
};
