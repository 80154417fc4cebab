import { type RawBuilder, sql } from 'kysely';
import { type PlayerScope, sessionInScope } from '../../kernel/access/player-scope.ts';
import type { LogPosition } from '../../kernel/logs/log-cursor.ts';

/** When certain players were seen in the scope, as a table expression of (player_id, first_seen_at, last_seen_at). */
export const seenOf = (scope: PlayerScope, playerIds: readonly string[]): RawBuilder<unknown> =>
  scope === null
    ? sql`(
        select id as player_id, first_seen_at, last_seen_at from players where id = any (${playerIds}::bigint[])
      )`
    : sql`(
        select player_id, min(joined_at) as first_seen_at, max(last_seen_at) as last_seen_at
        from player_sessions as session
        where player_id = any (${playerIds}::bigint[]) and ${sessionInScope(scope, 'session')} group by player_id
      )`;

interface SeenLatest {
  readonly beyond: LogPosition | null;
  /** On a row of players with the alias `player`. */
  readonly conditions: RawBuilder<unknown>;
  readonly limit: number;
}

/**
 * The same for the players seen last. Per server the newest sessions are read in index order, until enough of them are their
 * player's newest in the scope: the total number of sessions does not matter.
 */
export const seenLatest = (
  scope: PlayerScope,
  { beyond, conditions, limit }: SeenLatest,
): RawBuilder<unknown> =>
  scope === null
    ? sql`(
        select player.id as player_id, first_seen_at, last_seen_at from players as player
        where ${isBeyond(beyond, 'player.id')} and ${conditions}
        order by last_seen_at desc, player.id desc limit ${limit}
      )`
    : sql`(
        select latest.player_id, latest.last_seen_at, (
          select min(joined_at) from player_sessions as session
          where session.player_id = latest.player_id and ${sessionInScope(scope, 'session')}
        ) as first_seen_at
        from (
          select found.player_id, found.last_seen_at
          from unnest(${scope}::text[]) as server (id) cross join lateral (
            select session.player_id, session.last_seen_at
            from player_sessions as session join players as player on player.id = session.player_id
            where session.server_id = server.id and ${isBeyond(beyond, 'session.player_id', 'session.')}
              and not exists (
                select from player_sessions as newer
                where newer.player_id = session.player_id and ${sessionInScope(scope, 'newer')}
                  and (newer.last_seen_at, newer.id) > (session.last_seen_at, session.id)
              )
              and ${conditions}
            order by session.last_seen_at desc, session.player_id desc limit ${limit}
          ) as found
          order by found.last_seen_at desc, found.player_id desc limit ${limit}
        ) as latest
      )`;

/** Condition on a row that has a `last_seen_at`, with an optional prefix. */
export const isBeyond = (beyond: LogPosition | null, id: string, prefix = ''): RawBuilder<unknown> =>
  beyond
    ? sql`(${sql.ref(`${prefix}last_seen_at`)}, ${sql.ref(id)}) < (${beyond.at}, ${beyond.id}::bigint)`
    : sql`true`;
