import { type Kysely, type RawBuilder, sql } from 'kysely';
import { reasonOf, reasons } from '#contracts/kernel/reasons.ts';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { Ban, BanDetails, BanPlace, BanPlaceState } from '#contracts/people/bans.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { Problem } from '#runtime/problem.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { type PlayerScope, playerNameInScope, scopeOf } from '../../kernel/access/player-scope.ts';
import type { Tables } from '../../kernel/database/tables.ts';

const inScope = (scope: PlayerScope, serverId: RawBuilder<unknown>): RawBuilder<boolean> =>
  scope === null ? sql<boolean>`true` : sql<boolean>`${serverId} = any (${scope}::text[])`;

/** Characters. */
const longestText = 100;

/** The state of a place, by the aliases `place`, `server`, `ban` and `listed`. */
const placeState = sql<BanPlaceState>`(
  case when server.archived_at is not null then 'gone'
       when place.wanted = 'banned' and (ban.ended_at is not null or ban.is_everywhere and listed.server_id is not null
                                         or listed.lifted_at is not null) then
         -- What the end of this ban means is not written down yet.
         case when exists (select from ban_news where player_id = place.player_id) then 'lifting' else 'held' end
       when place.wanted = 'banned' then
         case when place.known = 'banned' then case place.certainty when 'proven' then 'in-force' else 'unconfirmed' end
              when place.is_refused then 'refused'
              when place.known = 'unsure' and place.tries > 0 then 'unknown'
              else 'waiting' end
       when place.known = 'never' then case when place.is_sent then 'lifting' else 'never' end
       when place.known = 'free' then case place.certainty when 'proven' then 'lifted' else 'lift-unconfirmed' end
       when place.is_refused then 'lift-refused'
       else 'lifting' end)`;

interface BanRow extends Omit<Ban, 'bannedAt' | 'by' | 'until' | 'endedAt' | 'endedBy' | 'places'> {
  readonly bannedAt: Date;
  readonly actor: string;
  readonly actorName: string | null;
  readonly until: Date | null;
  readonly endedAt: Date | null;
  readonly endedActor: string | null;
  readonly endedActorName: string | null;
}

interface PlaceRow extends Omit<BanPlace, 'wantedAt' | 'knownAt' | 'nextTryAt' | 'sentAt' | 'reason'> {
  readonly wantedAt: Date;
  readonly knownAt: Date | null;
  readonly nextTryAt: Date;
  readonly sentAt: Date | null;
  readonly isSettled: boolean;
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** The stored name belongs to no server, and stays when the player is gone. */
const bannedName = (scope: PlayerScope): RawBuilder<string> =>
  sql`coalesce(${playerNameInScope(scope, 'player')}, ban.player_name)`;

const selectBans = (scope: PlayerScope): RawBuilder<unknown> => sql`
  select ban.id, ban.player_id as "playerId", ${bannedName(scope)} as "playerName",
         coalesce(player.platform_id, ban.platform_id) as "platformId", ban.game, ban.is_everywhere as "isEverywhere",
         coalesce((select array_agg(listed.server_id order by listed.server_id) from ban_servers as listed
                    where listed.ban_id = ban.id and (ban.is_everywhere or listed.lifted_at is null or ban.ended_at is not null)
                      and ${inScope(scope, sql`listed.server_id`)}), '{}') as "serverIds",
         ban.reason, ban.banned_at as "bannedAt", ban.actor, ban.actor_name as "actorName", ban.until,
         ban.ended_at as "endedAt", ban.ended_how as "endedHow", ban.ended_actor as "endedActor",
         ban.ended_actor_name as "endedActorName"
    from bans as ban left join players as player on player.id = ban.player_id`;

const isVisible = (scope: PlayerScope): RawBuilder<boolean> =>
  scope === null
    ? sql<boolean>`true`
    : sql<boolean>`exists (
        select from game_servers as server left join ban_servers as listed on listed.ban_id = ban.id and listed.server_id = server.id
         where server.game = ban.game and ${inScope(scope, sql`server.id`)} and (ban.is_everywhere or listed.server_id is not null))`;

/** Places of the bans of `ids`, by the aliases `ban`, `place`, `server` and `player`. */
const fromPlaces = (scope: PlayerScope, ids: readonly string[]): RawBuilder<unknown> => sql`
  from bans as ban
  join players as banned on banned.id = ban.player_id
  join players as player on player.member_id = banned.member_id
  join ban_places as place on place.player_id = player.id
  join game_servers as server on server.id = place.server_id and server.game = ban.game
  left join ban_servers as listed on listed.ban_id = ban.id and listed.server_id = server.id
 where ban.id = any (${ids}::bigint[]) and (ban.is_everywhere or listed.server_id is not null)
   and ${inScope(scope, sql`place.server_id`)}`;

/** Only servers on which the actor may read or change players: what an actor has changed is shown to them. */
export const createBanReading = (db: Kysely<Tables>) => {
  const withPlaces = async (scope: PlayerScope, rows: readonly BanRow[]): Promise<Ban[]> => {
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return [];
    const counts = await sql<{ readonly id: string; readonly state: BanPlaceState; readonly count: number }>`
      select ban.id, ${placeState} as state, count(*)::int as count ${fromPlaces(scope, ids)}
       group by ban.id, state`.execute(db);
    return rows.map(({ actor, actorName, endedActor, endedActorName, ...row }) => ({
      ...row,
      bannedAt: row.bannedAt.toISOString(),
      until: iso(row.until),
      endedAt: iso(row.endedAt),
      by: { actor, name: actorName },
      endedBy: endedActor === null ? null : { actor: endedActor, name: endedActorName },
      places: Object.fromEntries(
        counts.rows.filter(({ id }) => id === row.id).map(({ state, count }) => [state, count]),
      ),
    }));
  };

  return {
    async list(
      actor: Actor,
      {
        text,
        state,
        game,
        playerId,
        cursor,
        limit,
      }: {
        readonly text?: string | undefined;
        readonly state?: 'active' | 'ended' | undefined;
        readonly game?: GameId | undefined;
        readonly playerId?: string | undefined;
        readonly cursor?: string | undefined;
        readonly limit: number;
      },
    ): Promise<{ rows: Ban[]; nextCursor: string | null }> {
      if (cursor !== undefined && !/^[1-9]\d{0,17}$/.test(cursor))
        throw new Problem('INVALID_REQUEST', { detail: reasons['cursor-unknown'] });
      const scope = scopeOf(actor, ['players.read', 'players.write']);
      const conditions: RawBuilder<boolean>[] = [isVisible(scope)];
      if (cursor !== undefined) conditions.push(sql`ban.id < ${cursor}::bigint`);
      if (state !== undefined)
        conditions.push(state === 'active' ? sql`ban.ended_at is null` : sql`ban.ended_at is not null`);
      if (game !== undefined) conditions.push(sql`ban.game = ${game}`);
      if (playerId !== undefined)
        conditions.push(sql`ban.player_id in (
          select theirs.id from players as one join players as theirs on theirs.member_id = one.member_id
           where one.id = ${playerId})`);
      if (text !== undefined) conditions.push(matches(scope, text));
      const { rows } = await sql<BanRow>`
        ${selectBans(scope)} where ${sql.join(conditions, sql` and `)} order by ban.id desc limit ${limit + 1}`.execute(
        db,
      );
      const shown = rows.slice(0, limit);
      return {
        rows: await withPlaces(scope, shown),
        nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
      };
    },

    async read(actor: Actor, id: string): Promise<BanDetails | null> {
      const scope = scopeOf(actor, ['players.read', 'players.write']);
      const { rows } = await sql<BanRow>`
        ${selectBans(scope)} where ban.id = ${id} and ${isVisible(scope)}`.execute(db);
      const [found] = await withPlaces(scope, rows);
      if (!found) return null;
      const places = await sql<PlaceRow>`
        select place.server_id as "serverId", place.player_id as "playerId", ${playerNameInScope(scope, 'player')} as "playerName",
               ${placeState} as state,
               place.wanted_at as "wantedAt", place.known_at as "knownAt", place.tries, place.next_try_at as "nextTryAt",
               place.sent_at as "sentAt", place.command, place.outcome, place.reply, place.detail,
               place.is_settled as "isSettled"
          ${fromPlaces(scope, [id])} order by server.name, place.server_id, player.id`.execute(db);
      return {
        ...found,
        details: places.rows.map(({ isSettled, ...place }) => ({
          ...place,
          wantedAt: place.wantedAt.toISOString(),
          knownAt: iso(place.knownAt),
          nextTryAt: isSettled || place.state === 'gone' ? null : iso(place.nextTryAt),
          sentAt: iso(place.sentAt),
          reason: reasonOf(place.detail),
        })),
      };
    },
  };
};

/** A part of the names, the reason or who banned; a whole platform id, with or without its platform. */
const matches = (scope: PlayerScope, text: string): RawBuilder<boolean> => {
  const sound = storableText(text, longestText);
  const pattern = `%${sound.replace(/[\\%_]/g, '\\$&')}%`;
  const id = sound.toLowerCase();
  return sql`(
    ${bannedName(scope)} ilike ${pattern} or ${scope === null ? sql`ban.player_name ilike ${pattern}` : sql`false`} or ban.reason ilike ${pattern} or ban.actor_name ilike ${pattern}
    or lower(coalesce(player.platform_id, ban.platform_id)) in (${id}, split_part(lower(coalesce(player.platform_id, ban.platform_id)), ':', 1) || ':' || ${id}))`;
};
