import { type Kysely, sql } from 'kysely';
import { tokenDigest } from '#runtime/auth/secret-token.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/** More than anyone signs in from; the one not seen for longest is forgotten first. */
const devicesPerAdmin = 20;

const digestOfPassword = sql<Buffer>`sha256(convert_to(admins.password_hash, 'UTF8'))`;

/** Whether the device signed in to the account with its current password. */
export const isKnownDevice = async (db: Kysely<Tables>, account: string, device: string): Promise<boolean> =>
  (await db
    .selectFrom('known_devices')
    .innerJoin('admins', 'admins.id', 'known_devices.admin_id')
    .select('admin_id')
    .where('admins.name_key', '=', account)
    .where('device_hash', '=', tokenDigest(device))
    .where('password_digest', '=', digestOfPassword)
    .executeTakeFirst()) !== undefined;

/** Runs in the transaction of a sign-in, which holds the admin's row. */
export const rememberDevice = async (trx: Kysely<Tables>, adminId: string, device: string): Promise<void> => {
  await trx
    .insertInto('known_devices')
    .columns(['admin_id', 'device_hash', 'password_digest'])
    .expression(
      trx
        .selectFrom('admins')
        .select([
          'id',
          sql<Buffer>`${tokenDigest(device)}::bytea`.as('device'),
          digestOfPassword.as('digest'),
        ])
        .where('id', '=', adminId),
    )
    .onConflict((conflict) =>
      conflict.columns(['admin_id', 'device_hash']).doUpdateSet((of) => ({
        password_digest: of.ref('excluded.password_digest'),
        last_used_at: sql<Date>`now()`,
      })),
    )
    .execute();
  const surplus = trx
    .selectFrom('known_devices')
    .select('device_hash')
    .where('admin_id', '=', adminId)
    // After a clock was set back, the others may seem to have been used later.
    .where('device_hash', '!=', tokenDigest(device))
    .orderBy('last_used_at', 'desc')
    .offset(devicesPerAdmin - 1);
  await trx
    .deleteFrom('known_devices')
    .where('admin_id', '=', adminId)
    .where('device_hash', 'in', surplus)
    .execute();
};

/** Runs in the transaction that changed the password: a device known by the old one stays known. */
export const keepDevice = async (
  trx: Kysely<Tables>,
  {
    adminId,
    device,
    oldPasswordHash,
  }: { readonly adminId: string; readonly device: string; readonly oldPasswordHash: string },
): Promise<void> => {
  await trx
    .updateTable('known_devices')
    .from('admins')
    .set({ password_digest: digestOfPassword })
    .whereRef('admins.id', '=', 'known_devices.admin_id')
    .where('admin_id', '=', adminId)
    .where('device_hash', '=', tokenDigest(device))
    .where('password_digest', '=', tokenDigest(oldPasswordHash))
    .execute();
};

export const forgetDevices = async (trx: Kysely<Tables>, adminId: string): Promise<void> => {
  await trx.deleteFrom('known_devices').where('admin_id', '=', adminId).execute();
};
