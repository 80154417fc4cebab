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

/** Condition on a row of player_names, by its alias: the name was borne while its player was on a server in the scope. */
export const nameInScope = (scope: PlayerScope, alias: string): RawBuilder<boolean> =>
  scope === null
    ? sql`true`
    : sql`exists (
        select from player_sessions as session
        where session.player_id = ${sql.ref(`${alias}.player_id`)} and ${sessionInScope(scope, 'session')}
          and session.joined_at <= ${sql.ref(`${alias}.last_seen_at`)}
          and session.last_seen_at >= ${sql.ref(`${alias}.first_seen_at`)}
      )`;
