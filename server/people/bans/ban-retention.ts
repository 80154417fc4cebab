import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import { batchRows, deleteInBatches } from '../../kernel/logs/delete-in-batches.ts';

const keptDays = 90;

/**
 * Deletes, in batches, what is known about servers where a player has been free for 90 days, if their member has no ban
 * any more. The bans themselves stay. @param signal ends the work after the current batch @returns how many were
 * deleted
 */
export const deleteOldBanPlaces = (db: Kysely<Tables>, signal: AbortSignal): Promise<number> => {
  const isOver = sql`place.wanted = 'free' and place.is_settled and not place.is_sent`;
  return deleteInBatches(signal, async () => {
    // The condition is checked again for each row that is deleted: a ban may have come in between.
    const { numAffectedRows } = await sql`
      delete from ban_places as place where ${isOver} and id in (
        select place.id from ban_places as place join players as player on player.id = place.player_id
         where ${isOver} and greatest(place.wanted_at, place.known_at) < castellan_proven_now() - make_interval(days => ${keptDays})
           and not exists (
             select from bans join players as banned on banned.id = bans.player_id
              where banned.member_id = player.member_id and bans.ended_at is null)
         limit ${batchRows})`.execute(db);
    const deleted = Number(numAffectedRows ?? 0n);
    return { deleted, isLast: deleted < batchRows };
  });
};
