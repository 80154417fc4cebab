import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { GameId } from '#contracts/games.ts';
import { storableText } from '../console/storable-text.ts';
import type { Tables } from '../database/tables.ts';
import type { LogPosition } from '../logs/log-cursor.ts';
import { nameInScope, type PlayerScope, seenInScope, sessionInScope } from './player-scope.ts';
import { playerNameKey } from './seen-player.ts';

export interface StoredPlayer {
  readonly id: string;
  /** The newest. */
  readonly name: string;
  readonly platform_id: string | null;
  readonly game: GameId;
  readonly first_seen_at: Date;
  readonly last_seen_at: Date;
}

export interface PlayerSearch {
  readonly text?: string | undefined;
  readonly serverId?: string | undefined;
  readonly playerId?: string | undefined;
  readonly beyond: LogPosition | null;
  readonly limit: number;
}

/** Characters. */
const longestText = 100;

/** Players who were seen in the scope, the last seen first; all that is told of them is of there. */
export const readPlayers = async (
  db: Kysely<Tables>,
  scope: PlayerScope,
  search: PlayerSearch,
): Promise<readonly StoredPlayer[]> => {
  const name =
    scope === null
      ? sql`player.name`
      : sql`coalesce((
          select known.name from player_names as known
          where known.player_id = player.id and ${nameInScope(scope, 'known')}
          order by known.last_seen_at desc limit 1
        ), player.name)`;
  const { rows } = await sql<StoredPlayer>`
    select player.id, ${name} as name, player.platform_id, player.game, seen.first_seen_at, seen.last_seen_at
    from ${seenInScope(scope)} as seen join players as player on player.id = seen.player_id
    where ${sql.join(conditionsOf(scope, search), sql` and `)}
    order by seen.last_seen_at desc, seen.player_id desc limit ${search.limit}`.execute(db);
  return rows;
};

const conditionsOf = (scope: PlayerScope, search: PlayerSearch): RawBuilder<unknown>[] => {
  const { text, serverId, playerId, beyond } = search;
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (playerId !== undefined) conditions.push(sql`player.id = ${playerId}`);
  if (beyond)
    conditions.push(sql`(seen.last_seen_at, seen.player_id) < (${beyond.at}, ${beyond.id}::bigint)`);
  if (serverId !== undefined)
    conditions.push(sql`exists (
      select from player_sessions as there where there.player_id = player.id and there.server_id = ${storableText(serverId, longestText)}
    )`);
  if (text !== undefined) conditions.push(isCalled(scope, storableText(text, longestText)));
  return conditions;
};

/** By the whole platform id, with or without its platform, or a part of any name. */
const isCalled = (scope: PlayerScope, text: string): RawBuilder<unknown> => {
  const id = text.toLowerCase();
  const hasId = sql`(lower(player.platform_id) = ${id} or lower(split_part(player.platform_id, ':', 2)) = ${id})`;
  const key = playerNameKey(text);
  if (key === '') return hasId;
  const pattern = `%${key.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`(${hasId} or exists (
    select from player_names as called
    where called.player_id = player.id and called.name_key like ${pattern} and ${nameInScope(scope, 'called')}
  ))`;
};

/** Whole seconds of all sessions but those that last, by player. */
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

const playedSeconds = sql.raw(
  'greatest(0, floor(extract(epoch from coalesce(left_at, confirmed_at) - joined_at)))',
);

/** The names that a player had, the newest first, with when. */
export const readNames = async (
  db: Kysely<Tables>,
  scope: PlayerScope,
  playerId: string,
): Promise<readonly { name: string; first_seen_at: Date; last_seen_at: Date }[]> => {
  const { rows } = await sql<{ name: string; first_seen_at: Date; last_seen_at: Date }>`
    select name, greatest(known.first_seen_at, seen.first_seen_at) as first_seen_at,
      least(known.last_seen_at, seen.last_seen_at) as last_seen_at
    from player_names as known join ${seenInScope(scope)} as seen on seen.player_id = known.player_id
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

/** A player's sessions in the scope, the newest first. */
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
