import type { Permission } from '#contracts/identity/permissions.ts';
import type { ActorKind } from '#contracts/kernel/audit.ts';

/** Who asks. Everything is done by an actor. */
export interface Actor {
  /**
   * - `admin`: a person, by session
   * - `api-key`: a script
   * - `desktop`: the control center on this machine
   * - `bot`: the Discord bot
   * - `discord`: a person in Discord, for whom the bot asks
   * - `player`: a person in a game, by its chat
   * - `shop`: an external shop, by a webhook that it signs
   * - `local`: someone on this machine who showed no credential
   */
  readonly kind: ActorKind;
  /** Unique within its kind. */
  readonly id: string;
  /** For readers of the audit log. */
  readonly name: string;
  readonly permissions: ReadonlySet<Permission>;
  /** Permissions granted for single servers only, by server id. */
  readonly serverPermissions: ReadonlyMap<string, ReadonlySet<Permission>>;
  /** The session of an admin; no other kind has one. */
  readonly sessionId?: string;
  /** The kept credential that a desktop used; the owner of the machine in app mode has none. */
  readonly desktopAccessId?: string;
  /** An owner, or acts for one; what belongs to an owner is closed to everyone else. */
  readonly isOwner?: boolean;
  /** Has recently shown, besides the credential, that the person is there. */
  readonly steppedUp?: boolean;
}

/** Whether the actor holds the permission everywhere, or for this one server. */
export const may = (
  actor: Pick<Actor, 'permissions' | 'serverPermissions'>,
  permission: Permission,
  serverId?: string,
): boolean =>
  actor.permissions.has(permission) ||
  (serverId !== undefined && actor.serverPermissions.get(serverId)?.has(permission) === true);

/** Whether the actor holds the permission for any server at all; the handler then checks the server in question. */
export const maySomewhere = (actor: Actor, permission: Permission): boolean =>
  may(actor, permission) || [...actor.serverPermissions.values()].some((granted) => granted.has(permission));

/** As the audit log names it. */
export const actorReference = ({ kind, id }: Actor): string => `${kind}:${id}`;

/** The admin's id in such a reference; undefined: it names someone else. */
export const adminIdIn = (reference: string): string | undefined => /^admin:(.+)$/.exec(reference)?.[1];
