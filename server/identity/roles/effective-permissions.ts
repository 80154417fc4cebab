import {
  type BuiltInRole,
  builtInRoles,
  type Permission,
  permissions,
} from '#contracts/identity/permissions.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';

export interface RoleGrant {
  readonly id: string;
  /** Null for a built-in role. */
  readonly permissions: readonly string[] | null;
}

/** What an account may do, everywhere and on single servers. */
export type EffectivePermissions = Pick<Actor, 'permissions' | 'serverPermissions'>;

const isBuiltIn = (id: string): id is BuiltInRole => Object.hasOwn(builtInRoles, id);

/** Leaves out names that this version does not know, or that no person may hold. */
export const permissionsOf = ({ id, permissions: stored }: RoleGrant): readonly Permission[] => {
  if (isBuiltIn(id)) return builtInRoles[id];
  return builtInRoles.owner.filter((name) => stored?.includes(name));
};

export const effectivePermissionsOf = (
  role: RoleGrant | null,
  serverGrants: readonly (RoleGrant & { readonly serverId: string })[],
): EffectivePermissions => ({
  permissions: new Set(role ? permissionsOf(role) : []),
  serverPermissions: new Map(
    serverGrants.map((grant) => [
      grant.serverId,
      new Set(permissionsOf(grant).filter((name) => permissions[name].perServer)),
    ]),
  ),
});

/** Those of the permissions that the actor does not hold: no one grants, revokes or changes more than they hold. */
export const beyond = (actor: Actor, powers: EffectivePermissions): readonly Permission[] => {
  const everywhere = [...powers.permissions].filter((name) => !may(actor, name));
  const onServers = [...powers.serverPermissions].flatMap(([serverId, granted]) =>
    [...granted].filter((name) => !may(actor, name, serverId)),
  );
  return [...new Set([...everywhere, ...onServers])];
};
