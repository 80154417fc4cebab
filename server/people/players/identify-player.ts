import { type Kysely, sql } from 'kysely';
import type { GameId } from '#contracts/servers/games.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Sighting, upsertPlayers } from './player-rows.ts';
import { identityOf } from './seen-player.ts';

interface Identified extends Sighting {
  readonly sessionId: string;
  /** The player known only by name. */
  readonly playerId: string;
}

/**
 * Passes on what a player has to the one that replaces the row: the member with its wallet, and everything that refers to
 * the row.
 */
export type ReplacePlayer = (
  trx: Kysely<Tables>,
  players: { readonly replacedId: string; readonly byId: string },
) => Promise<void>;

/**
 * Reassigns the session of a player known only by name to the player with the id. Earlier players of that name stay
 * unchanged: no one knows whether it was the same person. @returns the player's id
 */
export const identifyPlayer = async (
  trx: Kysely<Tables>,
  serverId: string,
  game: GameId,
  identified: Identified,
  replacePlayer: ReplacePlayer,
): Promise<string> => {
  const { sessionId, playerId, platformId } = identified;
  // Another server may be about to discover the same.
  await trx.selectFrom('players').select('id').where('id', '=', playerId).forUpdate().execute();
  const hasMore = await trx
    .selectFrom('player_sessions')
    .select('id')
    .where('player_id', '=', playerId)
    .where('id', '!=', sessionId)
    .limit(1)
    .executeTakeFirst();
  const identity = identityOf(game, identified);
  const isKnown = await trx
    .selectFrom('players')
    .select('id')
    .where('identity', '=', identity)
    .executeTakeFirst();
  if (!hasMore && !isKnown)
    await trx
      .updateTable('players')
      .set({ identity, platform_id: platformId })
      .where('id', '=', playerId)
      .execute();

  const ids = await upsertPlayers(trx, game, [identified]);
  const id = ids.get(identity);
  if (id === undefined) throw new Error('a player was neither found nor made');
  if (id === playerId) return id;
  await trx
    .updateTable('player_sessions')
    .set({ left_at: sql<Date>`confirmed_at` })
    .where('server_id', '=', serverId)
    .where('player_id', '=', id)
    .where('left_at', 'is', null)
    .execute();
  await trx.updateTable('player_sessions').set({ player_id: id }).where('id', '=', sessionId).execute();
  if (!hasMore) {
    await replacePlayer(trx, { replacedId: playerId, byId: id });
    await trx.deleteFrom('players').where('id', '=', playerId).execute();
  }
  return id;
};
