import type { Me } from '#contracts/identity/account.ts';
import type { Permission } from '#contracts/identity/permissions.ts';

export interface Can {
  /** Everywhere, or on this server. */
  (permission: Permission, serverId?: string): boolean;
  /** Everywhere, or on some server. */
  readonly somewhere: (permission: Permission) => boolean;
}

export const canOf = ({
  permissions,
  serverPermissions,
}: Pick<Me, 'permissions' | 'serverPermissions'>): Can =>
  Object.assign(
    (permission: Permission, serverId?: string) =>
      permissions.includes(permission) ||
      (serverId !== undefined && serverPermissions[serverId]?.includes(permission) === true),
    {
      somewhere: (permission: Permission) =>
        permissions.includes(permission) ||
        Object.values(serverPermissions).some((held) => held.includes(permission)),
    },
  );
