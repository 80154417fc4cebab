import type { Admin } from '#contracts/identity/admins.ts';
import { permissions } from '#contracts/identity/permissions.ts';
import type { Role } from '#contracts/identity/roles.ts';
import type { Can } from '../../kit/access/can.ts';

/** Whether the person holds all permissions of a role, everywhere or on one server: no one can give more than that. */
export const mayGive = (can: Can, role: Role, serverId?: string): boolean =>
  role.permissions
    .filter((name) => serverId === undefined || permissions[name].perServer)
    .every((name) => can(name, serverId));

type Rights = Pick<Admin, 'role' | 'serverGrants'>;

/** Whether the person holds all permissions of an admin; an admin who holds more is changed by others. An unknown role gives nothing. */
export const isWithinMine = (can: Can, { role, serverGrants }: Rights, roles: readonly Role[]): boolean => {
  const roleOf = (id: string) => roles.find((each) => each.id === id);
  const everywhere = role === null ? undefined : roleOf(role);
  return (
    (!everywhere || mayGive(can, everywhere)) &&
    serverGrants.every((grant) => {
      const there = roleOf(grant.role);
      return !there || mayGive(can, there, grant.serverId);
    })
  );
};
