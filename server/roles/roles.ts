import { createId } from '@paralleldrive/cuid2';
import type { Kysely } from 'kysely';
import { builtInRoles } from '#contracts/permissions.ts';
import type { Role, RoleInput } from '#contracts/roles.ts';
import type { By } from '../access/by.ts';
import { nameKey } from '../access/name-key.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../http/refusal.ts';
import { refuseBeyond } from './escalation.ts';
import { permissionsOf, type RoleGrant } from './powers.ts';
import { changeRights } from './rights-lock.ts';

export interface Roles {
  list(): Promise<Role[]>;
  create(input: RoleInput, by: By): Promise<Role | Refusal>;
  change(id: string, input: RoleInput, by: By): Promise<Role | Refusal>;
  remove(id: string, by: By): Promise<Role | Refusal>;
}

type Trx = Kysely<Tables>;

export const createRoles = (db: Kysely<Tables>): Roles => ({
  async list() {
    const rows = await db.selectFrom('roles').selectAll().orderBy('name_key').execute();
    const order = Object.keys(builtInRoles);
    const rank = ({ id, builtIn }: Role) => (builtIn ? order.indexOf(id) : order.length);
    return rows.map(toRole).sort((a, b) => rank(a) - rank(b));
  },

  create: (input, by) =>
    changeRights(db, async (trx) => {
      const refusal = (await refuseName(trx, input.name, null)) ?? refuseSets(by, [input.permissions]);
      if (refusal) return refusal;
      const row = { id: createId(), ...columnsOf(input) };
      await trx.insertInto('roles').values(row).execute();
      const role = toRole(row);
      await recordAudit(trx, { ...by, action: 'roles.create', target: `role:${role.id}`, after: role });
      return role;
    }),

  change: (id, input, by) =>
    changeRights(db, async (trx) => {
      const before = await findOwn(trx, id);
      if (isRefusal(before)) return before;
      const refusal =
        (await refuseName(trx, input.name, id)) ?? refuseSets(by, [before.permissions, input.permissions]);
      if (refusal) return refusal;
      await trx.updateTable('roles').set(columnsOf(input)).where('id', '=', id).execute();
      const after = toRole({ id, ...columnsOf(input) });
      await recordAudit(trx, { ...by, action: 'roles.change', target: `role:${id}`, before, after });
      return after;
    }),

  remove: (id, by) =>
    changeRights(db, async (trx) => {
      const before = await findOwn(trx, id);
      if (isRefusal(before)) return before;
      const refusal = refuseSets(by, [before.permissions]) ?? (await refuseInUse(trx, id));
      if (refusal) return refusal;
      await trx.deleteFrom('roles').where('id', '=', id).execute();
      await recordAudit(trx, { ...by, action: 'roles.remove', target: `role:${id}`, before });
      return before;
    }),
});

const toRole = (row: RoleGrant & { readonly name: string }): Role => ({
  id: row.id,
  name: row.name,
  builtIn: row.permissions === null,
  permissions: [...permissionsOf(row)],
});

const columnsOf = ({ name, permissions }: RoleInput) => ({
  name,
  name_key: nameKey(name),
  permissions: [...new Set(permissions)],
});

/** A role that somebody made, and so can change. */
const findOwn = async (trx: Trx, id: string): Promise<Role | Refusal> => {
  const row = await trx.selectFrom('roles').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return refuse('NOT_FOUND');
  return row.permissions === null ? refuse('FORBIDDEN', 'A built-in role cannot be changed.') : toRole(row);
};

const refuseName = async (trx: Trx, name: string, ownId: string | null): Promise<Refusal | null> => {
  const taken = await trx
    .selectFrom('roles')
    .select('id')
    .where('name_key', '=', nameKey(name))
    .executeTakeFirst();
  return taken && taken.id !== ownId ? refuse('NAME_TAKEN') : null;
};

const refuseSets = ({ actor }: By, sets: readonly Role['permissions'][]): Refusal | null =>
  refuseBeyond(actor, { permissions: new Set(sets.flat()), serverPermissions: new Map() });

const refuseInUse = async (trx: Trx, id: string): Promise<Refusal | null> => {
  const holder =
    (await trx.selectFrom('admins').select('id').where('role', '=', id).executeTakeFirst()) ??
    (await trx.selectFrom('server_grants').select('admin_id').where('role', '=', id).executeTakeFirst());
  return holder ? refuse('ROLE_IN_USE') : null;
};
