import { type RawBuilder, sql } from 'kysely';

const sessionsIn = (playerId: RawBuilder<unknown>, game: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  player_sessions as there join game_servers as played on played.id = there.server_id
   where there.player_id = ${playerId} and played.game = ${game}`;

/** Whether a player, by the alias `player`, belongs to the game, so that their name identifies them there. */
export const isOfGame = (game: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(player.game = ${game} or exists (select from ${sessionsIn(sql`player.id`, game)}))`;

/** The last name that the game's commands used for a player, by the alias `player`, without what plug-ins put around it. */
export const lastHandleIn = (game: RawBuilder<unknown>): RawBuilder<string | null> => sql<string | null>`(
  select there.handle from ${sessionsIn(sql`player.id`, game)} and there.handle <> ''
   order by there.joined_at desc, there.id desc limit 1)`;
