import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import { isOfGame } from './known-as.ts';

/** Whether a ban is meant for a server, by the aliases `ban`, `server` and `listed`, a left join of ban_servers. */
export const isMeantFor = sql<boolean>`(
  case when ban.is_everywhere then listed.lifted_at is null
       else listed.server_id is not null and listed.lifted_at is null end)`;

/**
 * Writes what is wanted for a player on each server, from all bans of the player's member. The caller's transaction
 * holds it, so that no older reading replaces a newer one.
 */
export const foldPlayer = async (trx: Kysely<Tables>, playerId: string, now: Date): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('castellan-ban-' || ${playerId}::text, 0))`.execute(
    trx,
  );
  await trx.deleteFrom('ban_news').where('player_id', '=', playerId).execute();
  const wanted = sql`
    select distinct server.id as server_id, server.archived_at
      from players as player
      join players as banned on banned.member_id = player.member_id
      join bans as ban on ban.player_id = banned.id and ban.ended_at is null
      join game_servers as server on server.game = ban.game
      left join ban_servers as listed on listed.ban_id = ban.id and listed.server_id = server.id
     where player.id = ${playerId} and ${isMeantFor} and (ban.until is null or ban.until > ${now}::timestamptz - castellan_unproven_time(ban.banned_at))
       and (banned.id = player.id or ${isOfGame(sql`ban.game`)})`;
  await sql`
    with wanted as (${wanted})
    insert into ban_places (server_id, player_id, wanted, wanted_at, next_try_at)
    select server_id, ${playerId}, 'banned', ${now}, ${now} from wanted
     where archived_at is null and not exists (
       select from ban_places as known
        where known.player_id = ${playerId} and known.server_id = wanted.server_id and known.wanted = 'banned')
     order by server_id
    on conflict (player_id, server_id) do update
      set wanted = 'banned', wanted_at = ${now}, next_try_at = ${now}, tries = 0, is_refused = false, detail = null
      where ban_places.wanted <> 'banned'`.execute(trx);
  await sql`
    with wanted as (${wanted})
    update ban_places set wanted = 'free', wanted_at = ${now}, next_try_at = ${now}, tries = 0, is_refused = false, detail = null
     where player_id = ${playerId} and wanted = 'banned' and server_id not in (select server_id from wanted)`.execute(
    trx,
  );
};

/** The bans of the player's member. */
const readPlayersOfMember = async (trx: Kysely<Tables>, playerId: string): Promise<readonly string[]> => {
  const { rows } = await sql<{ readonly id: string }>`
    select theirs.id from players as one join players as theirs on theirs.member_id = one.member_id
     where one.id = ${playerId} order by theirs.id`.execute(trx);
  return rows.map(({ id }) => id);
};

/** All players of the member, in one order, so that two concurrent calls wait for one another without a deadlock. */
export const foldMember = async (trx: Kysely<Tables>, playerId: string, now: Date): Promise<void> => {
  for (const id of await readPlayersOfMember(trx, playerId)) await foldPlayer(trx, id, now);
};
