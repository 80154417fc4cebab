import { createId } from '@paralleldrive/cuid2';
import type { Kysely } from 'kysely';
import type { Admin, NewAdmin, ServerGrant } from '#contracts/identity/admins.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type AdminWithGrants, adminsWithGrants } from '../admins-with-grants.ts';

export const adminRows = (db: Kysely<Tables>) =>
  adminsWithGrants(db).select([
    'admins.disabled',
    'admins.totp_confirmed_at',
    'admins.created_at',
    'admins.last_sign_in_at',
    'admins.version',
  ]);

export const findAdmin = (db: Kysely<Tables>, id: string) =>
  adminRows(db).where('admins.id', '=', id).executeTakeFirst();

interface AdminRow extends AdminWithGrants {
  readonly disabled: boolean;
  readonly totp_confirmed_at: Date | null;
  readonly created_at: Date;
  readonly last_sign_in_at: Date | null;
  readonly version: number;
}

/** An admin as people see one: without secrets. */
export const toAdmin = (row: AdminRow): Admin => ({
  id: row.id,
  name: row.name,
  role: row.role,
  serverGrants: row.serverGrants.map(({ serverId, id }) => ({ serverId, role: id })),
  disabled: row.disabled,
  totp: row.totp_confirmed_at !== null,
  createdAt: row.created_at.toISOString(),
  lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
  version: row.version,
});

interface AdminToInsert extends Omit<NewAdmin, 'password'> {
  readonly passwordHash: string;
}

/** Once there is an owner, the set-up link is used up. */
export const insertAdmin = async (
  trx: Kysely<Tables>,
  { name, passwordHash, role, serverGrants }: AdminToInsert,
): Promise<Admin> => {
  const id = createId();
  const { created_at, version } = await trx
    .insertInto('admins')
    .values({ id, name, name_key: nameKey(name), password_hash: passwordHash, role })
    .returning(['created_at', 'version'])
    .executeTakeFirstOrThrow();
  await replaceGrants(trx, id, serverGrants);
  if (role === 'owner') await trx.deleteFrom('setup_link').execute();
  return {
    id,
    name,
    role,
    serverGrants,
    disabled: false,
    totp: false,
    createdAt: created_at.toISOString(),
    lastSignInAt: null,
    version,
  };
};

export const replaceGrants = async (
  trx: Kysely<Tables>,
  adminId: string,
  grants: readonly ServerGrant[],
): Promise<void> => {
  await trx.deleteFrom('server_grants').where('admin_id', '=', adminId).execute();
  if (grants.length === 0) return;
  await trx
    .insertInto('server_grants')
    .values(grants.map(({ serverId, role }) => ({ admin_id: adminId, server_id: serverId, role })))
    .execute();
};
