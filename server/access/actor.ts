import type { Permission } from '#contracts/permissions.ts';

export const actorKinds = [
  'admin',
  'api-key',
  'desktop',
  'bot',
  'discord',
  'player',
  'shop',
  'local',
] as const;

/** Who asks. Everything that is done is done by one. */
export interface Actor {
  /**
   * - `admin`: a person, by session
   * - `api-key`: a script
   * - `desktop`: the control center on this machine
   * - `bot`: the Discord bot
   * - `discord`: a person in Discord, for whom the bot asks
   * - `player`: a person in a game, by its chat
   * - `shop`: a shop outside, by a webhook that it signs
   * - `local`: somebody on this machine who showed no credential
   */
  readonly kind: (typeof actorKinds)[number];
  /** Unique within its kind. */
  readonly id: string;
  /** For people who read the audit log. */
  readonly name: string;
  readonly permissions: ReadonlySet<Permission>;
  /** What is granted for single servers only, by server id. */
  readonly serverPermissions: ReadonlyMap<string, ReadonlySet<Permission>>;
  /** The session that an admin came in by; nobody else has one. */
  readonly sessionId?: string;
  /** The kept credential that a desktop came in by; the owner of the machine in app mode has none. */
  readonly desktopAccessId?: string;
  /** An owner, or acts for one; what is an owner's is closed to all others. */
  readonly isOwner?: boolean;
  /** Has shown lately, besides the credential, that the person is there. */
  readonly steppedUp?: boolean;
}

/** Whether the actor holds the permission everywhere, or for the one server. */
export const may = (actor: Actor, permission: Permission, serverId?: string): boolean =>
  actor.permissions.has(permission) ||
  (serverId !== undefined && actor.serverPermissions.get(serverId)?.has(permission) === true);

/** Whether the actor holds the permission for any server at all; the handler then asks for the one in question. */
export const maySomewhere = (actor: Actor, permission: Permission): boolean =>
  may(actor, permission) || [...actor.serverPermissions.values()].some((granted) => granted.has(permission));

/** As the audit log names it. */
export const actorReference = ({ kind, id }: Actor): string => `${kind}:${id}`;
