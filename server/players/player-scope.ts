import { type RawBuilder, sql } from 'kysely';
import type { Permission } from '#contracts/permissions.ts';
import { type Actor, may } from '../access/actor.ts';

/** The servers of which somebody may know what happened there; null: all. */
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

/** When players were seen, as a table expression of (player_id, first_seen_at, last_seen_at). */
export const seenInScope = (scope: PlayerScope): RawBuilder<unknown> =>
  scope === null
    ? sql`(select id as player_id, first_seen_at, last_seen_at from players)`
    : sql`(
        select player_id, min(joined_at) as first_seen_at, max(coalesce(left_at, confirmed_at)) as last_seen_at
        from player_sessions as session where ${sessionInScope(scope, 'session')} group by player_id
      )`;

/** Condition on a row of player_names, by its alias: the name was borne while its player was on a server in the scope. */
export const nameInScope = (scope: PlayerScope, alias: string): RawBuilder<boolean> =>
  scope === null
    ? sql`true`
    : sql`exists (
        select from player_sessions as session
        where session.player_id = ${sql.ref(`${alias}.player_id`)} and ${sessionInScope(scope, 'session')}
          and session.joined_at <= ${sql.ref(`${alias}.last_seen_at`)}
          and coalesce(session.left_at, session.confirmed_at) >= ${sql.ref(`${alias}.first_seen_at`)}
      )`;
