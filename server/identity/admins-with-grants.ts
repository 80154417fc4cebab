import type { Kysely } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Actor } from '../kernel/access/actor.ts';
import type { Tables } from '../kernel/database/tables.ts';
import {
  type EffectivePermissions,
  effectivePermissionsOf,
  type RoleGrant,
} from './roles/effective-permissions.ts';

/** Admins with everything that decides what they may do. */
export const adminsWithGrants = (db: Kysely<Tables>) =>
  db
    .selectFrom('admins')
    .leftJoin('roles', 'roles.id', 'admins.role')
    .select((of) => [
      'admins.id',
      'admins.name',
      'admins.role',
      'roles.permissions as rolePermissions',
      jsonArrayFrom(
        of
          .selectFrom('server_grants')
          .innerJoin('roles as granted', 'granted.id', 'server_grants.role')
          .whereRef('server_grants.admin_id', '=', 'admins.id')
          .select(['server_grants.server_id as serverId', 'server_grants.role as id', 'granted.permissions'])
          .orderBy('server_grants.server_id'),
      ).as('serverGrants'),
    ]);

export const enabledAdmins = (db: Kysely<Tables>) =>
  adminsWithGrants(db).where('admins.disabled', '=', false);

export interface AdminWithGrants {
  readonly id: string;
  readonly name: string;
  readonly role: string | null;
  readonly rolePermissions: readonly string[] | null;
  readonly serverGrants: readonly (RoleGrant & { readonly serverId: string })[];
}

export const effectivePermissionsOfAdmin = ({
  role,
  rolePermissions,
  serverGrants,
}: AdminWithGrants): EffectivePermissions =>
  effectivePermissionsOf(role === null ? null : { id: role, permissions: rolePermissions }, serverGrants);

export const adminActor = (admin: AdminWithGrants, sessionId: string, steppedUp = false): Actor => ({
  kind: 'admin',
  id: admin.id,
  name: admin.name,
  sessionId,
  isOwner: admin.role === 'owner',
  steppedUp,
  ...effectivePermissionsOfAdmin(admin),
});
