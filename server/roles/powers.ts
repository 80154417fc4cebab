import { type BuiltInRole, builtInRoles, type Permission, permissions } from '#contracts/permissions.ts';
import { type Actor, may } from '../access/actor.ts';

export interface RoleGrant {
  readonly id: string;
  /** Null for a built-in role. */
  readonly permissions: readonly string[] | null;
}

/** What somebody may do, everywhere and for single servers. */
export type Powers = Pick<Actor, 'permissions' | 'serverPermissions'>;

const isBuiltIn = (id: string): id is BuiltInRole => Object.hasOwn(builtInRoles, id);

/** Names that this version does not know, or that no person may hold, are left out. */
export const permissionsOf = ({ id, permissions: stored }: RoleGrant): readonly Permission[] => {
  if (isBuiltIn(id)) return builtInRoles[id];
  return builtInRoles.owner.filter((name) => stored?.includes(name));
};

export const powersOf = (
  role: RoleGrant | null,
  serverGrants: readonly (RoleGrant & { readonly serverId: string })[],
): Powers => ({
  permissions: new Set(role ? permissionsOf(role) : []),
  serverPermissions: new Map(
    serverGrants.map((grant) => [
      grant.serverId,
      new Set(permissionsOf(grant).filter((name) => permissions[name].perServer)),
    ]),
  ),
});

/** What of these powers the actor does not hold: nobody gives, takes or changes more than what is theirs. */
export const beyond = (actor: Actor, powers: Powers): readonly Permission[] => {
  const everywhere = [...powers.permissions].filter((name) => !may(actor, name));
  const onServers = [...powers.serverPermissions].flatMap(([serverId, granted]) =>
    [...granted].filter((name) => !may(actor, name, serverId)),
  );
  return [...new Set([...everywhere, ...onServers])];
};
