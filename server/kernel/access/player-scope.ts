import { type RawBuilder, sql } from 'kysely';
import type { Permission } from '#contracts/identity/permissions.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { type Actor, may } from './actor.ts';

/** The servers whose history an actor may see; null: all. */
export type PlayerScope = readonly string[] | null;

export const scopeOf = (actor: Actor, permissions: readonly Permission[] = ['players.read']): PlayerScope => {
  if (permissions.some((permission) => may(actor, permission))) return null;
  return [...actor.serverPermissions.keys()].filter((id) =>
    permissions.some((permission) => may(actor, permission, id)),
  );
};

export const isInScope = (scope: PlayerScope, serverId: string): boolean =>
  scope === null || scope.includes(serverId);

/** Condition on a row of player_sessions, by its alias. */
export const sessionInScope = (scope: PlayerScope, alias: string): RawBuilder<boolean> =>
  scope === null ? sql`true` : sql`${sql.ref(`${alias}.server_id`)} = any (${scope}::text[])`;

/** Condition on a row of players, by its alias: the player was on a server in the scope. */
export const seenInScope = (scope: PlayerScope, alias: string): RawBuilder<boolean> =>
  scope === null
    ? sql`true`
    : sql`exists (
        select from player_sessions as session
        where session.player_id = ${sql.ref(`${alias}.id`)} and ${sessionInScope(scope, 'session')}
      )`;

/** Condition on a row of players, by its alias: first seen in the game, or on a server of it since. */
export const seenInGame = (alias: string, game: GameId): RawBuilder<boolean> => sql`(
  ${sql.ref(`${alias}.game`)} = ${game} or exists (
    select from player_sessions as visit join game_servers as visited on visited.id = visit.server_id
    where visit.player_id = ${sql.ref(`${alias}.id`)} and visited.game = ${game}
  ))`;

/** The last name that a player, by its alias, had in the scope. */
export const playerNameInScope = (scope: PlayerScope, alias: string): RawBuilder<string> =>
  scope === null
    ? sql`${sql.ref(`${alias}.name`)}`
    : sql`coalesce((
        select known.name from player_names as known
        where known.player_id = ${sql.ref(`${alias}.id`)} and ${nameInScope(scope, 'known')}
        order by known.last_seen_at desc limit 1
      ), ${sql.ref(`${alias}.name`)})`;

/** Condition on a row of player_names, by its alias: the player used the name while on a server in the scope. */
export const nameInScope = (scope: PlayerScope, alias: string): RawBuilder<boolean> =>
  scope === null
    ? sql`true`
    : sql`exists (
        select from player_sessions as session
        where session.player_id = ${sql.ref(`${alias}.player_id`)} and ${sessionInScope(scope, 'session')}
          and session.joined_at <= ${sql.ref(`${alias}.last_seen_at`)}
          and session.last_seen_at >= ${sql.ref(`${alias}.first_seen_at`)}
      )`;
