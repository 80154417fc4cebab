import type { Kysely } from 'kysely';
import type { Admin } from '#contracts/identity/admins.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { IdentityContext } from '../identity-context.ts';
import { refuseLookAlike } from '../look-alike.ts';
import {
  type EffectivePermissions,
  effectivePermissionsOf,
  type RoleGrant,
} from '../roles/effective-permissions.ts';

/** The permissions that these roles and grants result in. Refused when a named role does not exist. */
export const resolvePermissions = async (
  trx: Kysely<Tables>,
  { role, serverGrants }: Pick<Admin, 'role' | 'serverGrants'>,
): Promise<EffectivePermissions | Refusal> => {
  const rows = await trx.selectFrom('roles').select(['id', 'permissions']).execute();
  const roles = new Map<string, RoleGrant>(rows.map((row) => [row.id, row]));
  const named = [...(role === null ? [] : [role]), ...serverGrants.map((grant) => grant.role)];
  const unknown = named.find((id) => !roles.has(id));
  if (unknown !== undefined) return refuse('INVALID_REQUEST', `There is no role ${unknown}.`);
  return effectivePermissionsOf(
    (role !== null && roles.get(role)) || null,
    serverGrants.flatMap(({ serverId, role: id }) => {
      const granted = roles.get(id);
      return granted ? [{ ...granted, serverId }] : [];
    }),
  );
};

export const refuseName = async (
  trx: Kysely<Tables>,
  name: string,
  ownId: string | null,
): Promise<Refusal | null> => {
  const rows = await trx.selectFrom('admins').select(['id', 'name']).execute();
  return refuseLookAlike(rows, name, ownId);
};

/** An owner who can sign in always remains. Checked under the rights lock, so no one else is demoted in between. */
export const refuseLastOwner = async (
  trx: Kysely<Tables>,
  before: Admin,
  staysEnabledOwner: boolean,
): Promise<Refusal | null> => {
  if (staysEnabledOwner || before.role !== 'owner' || before.disabled) return null;
  const another = await trx
    .selectFrom('admins')
    .select('id')
    .where('role', '=', 'owner')
    .where('disabled', '=', false)
    .where('id', '!=', before.id)
    .executeTakeFirst();
  return another ? null : refuse('LAST_OWNER');
};

/** Nothing is granted for a server that does not exist: a wrong id would wait until a later server gets it. */
export const refuseUnknownServers = async (
  trx: Kysely<Tables>,
  grants: Admin['serverGrants'],
  { firstUnknownServer }: Pick<IdentityContext, 'firstUnknownServer'>,
): Promise<Refusal | null> => {
  const index = await firstUnknownServer(
    trx,
    grants.map(({ serverId }) => serverId),
  );
  return index === null
    ? null
    : refuse('INVALID_REQUEST', `body.serverGrants.${index}.serverId: there is no such game server.`);
};
