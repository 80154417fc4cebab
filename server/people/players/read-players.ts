import { type Kysely, type RawBuilder, sql } from 'kysely';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { GameId } from '#contracts/servers/games.ts';
import {
  nameInScope,
  type PlayerScope,
  playerNameInScope,
  sessionInScope,
} from '../../kernel/access/player-scope.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { LogPosition } from '../../kernel/logs/log-cursor.ts';
import { playerNameKey } from './seen-player.ts';

/** When certain players were seen in the scope, as a table expression of (player_id, first_seen_at, last_seen_at). */
const seenOf = (scope: PlayerScope, playerIds: readonly string[]): RawBuilder<unknown> =>
  scope === null
    ? sql`(
        select id as player_id, first_seen_at, last_seen_at from players where id = any (${playerIds}::bigint[])
      )`
    : sql`(
        select player_id, min(joined_at) as first_seen_at, max(last_seen_at) as last_seen_at
        from player_sessions as session
        where player_id = any (${playerIds}::bigint[]) and ${sessionInScope(scope, 'session')} group by player_id
      )`;

/**
 * The same for the players seen last. Per server the newest sessions are read in index order, until enough of them are their
 * player's newest in the scope: the total number of sessions does not matter.
 */
const seenLatest = (
  scope: PlayerScope,
  {
    beyond,
    conditions,
    limit,
  }: {
    readonly beyond: LogPosition | null;
    /** On a row of players with the alias `player`. */
    readonly conditions: RawBuilder<unknown>;
    readonly limit: number;
  },
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
const isBeyond = (beyond: LogPosition | null, id: string, prefix = ''): RawBuilder<unknown> =>
  beyond
    ? sql`(${sql.ref(`${prefix}last_seen_at`)}, ${sql.ref(id)}) < (${beyond.at}, ${beyond.id}::bigint)`
    : sql`true`;

export interface StoredPlayer {
  readonly id: string;
  /** The newest name. */
  readonly name: string;
  readonly platform_id: string | null;
  readonly game: GameId;
  readonly first_seen_at: Date;
  readonly last_seen_at: Date;
}

interface PlayerSearch {
  readonly text?: string | undefined;
  readonly serverId?: string | undefined;
  readonly playerId?: string | undefined;
  readonly beyond: LogPosition | null;
  readonly limit: number;
}

/** In characters. */
const longestText = 100;

/** Players seen in the scope, last seen first; everything reported about them comes from the scope. */
export const readPlayers = async (
  db: Kysely<Tables>,
  scope: PlayerScope,
  search: PlayerSearch,
): Promise<readonly StoredPlayer[]> => {
  const { playerId, text, beyond, limit } = search;
  const ids = playerId !== undefined ? [playerId] : text !== undefined ? await findCalled(db, text) : null;
  const conditions = sql.join(conditionsOf(scope, search), sql` and `);
  const seen = ids ? seenOf(scope, ids) : seenLatest(scope, { beyond, conditions, limit });
  const name = playerNameInScope(scope, 'player');
  const { rows } = await sql<StoredPlayer>`
    select player.id, ${name} as name, player.platform_id, player.game, seen.first_seen_at, seen.last_seen_at
    from ${seen} as seen join players as player on player.id = seen.player_id
    where ${ids ? sql`${isBeyond(beyond, 'seen.player_id', 'seen.')} and ${conditions}` : sql`true`}
    order by seen.last_seen_at desc, seen.player_id desc limit ${limit}`.execute(db);
  return rows;
};

/** Above this number, players of a name are searched among those seen last. */
const fewPlayers = 2000;

/** The players a text may mean; null when it is a name, or part of one, that too many have. */
const findCalled = async (db: Kysely<Tables>, text: string): Promise<readonly string[] | null> => {
  const { rows } = await sql<{ id: string }>`
    (select player.id from players as player where ${hasPlatformId(text)} limit ${fewPlayers})
    union all
    (select player_id from player_names as called where ${isNamed(text)} limit ${fewPlayers})`.execute(db);
  return rows.length < fewPlayers ? rows.map(({ id }) => id) : null;
};

const conditionsOf = (scope: PlayerScope, { text, serverId }: PlayerSearch): RawBuilder<unknown>[] => {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (serverId !== undefined)
    conditions.push(sql`exists (
      select from player_sessions as there
      where there.player_id = player.id and there.server_id = ${storableText(serverId, longestText)}
    )`);
  if (text !== undefined)
    conditions.push(sql`(${hasPlatformId(text)} or exists (
      select from player_names as called
      where called.player_id = player.id and ${isNamed(text)} and ${nameInScope(scope, 'called')}
    ))`);
  return conditions;
};

/** The whole platform id, with or without its platform. */
const hasPlatformId = (text: string): RawBuilder<unknown> => {
  const id = storableText(text, longestText).toLowerCase();
  return sql`(lower(player.platform_id) = ${id} or lower(split_part(player.platform_id, ':', 2)) = ${id})`;
};

/** Part of the name. */
const isNamed = (text: string): RawBuilder<unknown> => {
  const key = playerNameKey(storableText(text, longestText));
  return key === '' ? sql`false` : sql`called.name_key like ${`%${key.replace(/[\\%_]/g, '\\$&')}%`}`;
};

/** Whole seconds of all closed sessions, by player. */
export const readPlayedSeconds = async (
  db: Kysely<Tables>,
  scope: PlayerScope,
  playerIds: readonly string[],
  lasting: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ player_id: string; seconds: string }>`
    select player_id, sum(${playedSeconds})::bigint as seconds from player_sessions as session
    where player_id = any (${playerIds}::bigint[]) and id <> all (${lasting}::bigint[])
      and ${sessionInScope(scope, 'session')}
    group by player_id`.execute(db);
  return new Map(rows.map(({ player_id, seconds }) => [player_id, Number(seconds)]));
};

const playedSeconds = sql.raw('greatest(0, floor(extract(epoch from last_seen_at - joined_at)))');

/** The names that a player had, newest first, with their times. */
export const readNames = async (
  db: Kysely<Tables>,
  scope: PlayerScope,
  playerId: string,
): Promise<readonly { name: string; first_seen_at: Date; last_seen_at: Date }[]> => {
  const { rows } = await sql<{ name: string; first_seen_at: Date; last_seen_at: Date }>`
    select name, greatest(known.first_seen_at, seen.first_seen_at) as first_seen_at,
      least(known.last_seen_at, seen.last_seen_at) as last_seen_at
    from player_names as known join ${seenOf(scope, [playerId])} as seen on seen.player_id = known.player_id
    where known.player_id = ${playerId} and ${nameInScope(scope, 'known')}
    order by known.last_seen_at desc, name`.execute(db);
  return rows;
};

export interface StoredSession {
  readonly id: string;
  readonly server_id: string;
  readonly joined_at: Date;
  readonly confirmed_at: Date;
  readonly left_at: Date | null;
}

/** A player's sessions in the scope, newest first. */
export const readSessions = async (
  db: Kysely<Tables>,
  scope: PlayerScope,
  playerId: string,
  { beyond, limit }: { readonly beyond: LogPosition | null; readonly limit: number },
): Promise<readonly StoredSession[]> => {
  const isBeyond = beyond ? sql`(joined_at, id) < (${beyond.at}, ${beyond.id}::bigint)` : sql`true`;
  const { rows } = await sql<StoredSession>`
    select id, server_id, joined_at, confirmed_at, left_at from player_sessions as session
    where player_id = ${playerId} and ${isBeyond} and ${sessionInScope(scope, 'session')}
    order by joined_at desc, id desc limit ${limit}`.execute(db);
  return rows;
};
