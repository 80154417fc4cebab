import { type Kysely, sql } from 'kysely';
import type { GameId } from '#contracts/games.ts';
import type { Tables } from '../database/tables.ts';
import { type Sighting, upsertPlayers } from './player-rows.ts';
import { identityOf } from './seen-player.ts';

export interface Identified extends Sighting {
  readonly sessionId: string;
  /** Of the player who was known by name alone. */
  readonly playerId: string;
}

/** Gives what a player has to the one who takes the row's place: the member with its wallet, and all that names the row. */
export type ReplacePlayer = (
  trx: Kysely<Tables>,
  players: { readonly replacedId: string; readonly byId: string },
) => Promise<void>;

/**
 * The session of somebody who was known by name alone becomes that of the player with the id. Who was known by that name
 * before stays as they were: nobody knows that it was the same person. @returns the player's id
 */
export const identifyPlayer = async (
  trx: Kysely<Tables>,
  serverId: string,
  game: GameId,
  identified: Identified,
  replacePlayer: ReplacePlayer,
): Promise<string> => {
  const { sessionId, playerId, platformId } = identified;
  // Another server may be about to find out the same.
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
