import { createId } from '@paralleldrive/cuid2';
import type { Kysely, Selectable } from 'kysely';
import { builtInRoles } from '#contracts/identity/permissions.ts';
import { type Role, type RoleChange, type RoleInput, rolesHttp } from '#contracts/identity/roles.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { refuseWithoutStepUp } from '../../kernel/access/step-up.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { demandGranted, isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { givesRights, givesStepUpPermission, refuseBeyond } from '../escalation.ts';
import type { IdentityContext } from '../identity-context.ts';
import { refuseLookAlike } from '../look-alike.ts';
import { changeRights } from '../rights-lock.ts';
import { type EffectivePermissions, permissionsOf } from './effective-permissions.ts';

type Db = Kysely<Tables>;

const listRoles = async (db: Db): Promise<Role[]> => {
  const rows = await db.selectFrom('roles').selectAll().orderBy('name_key').execute();
  const order = Object.keys(builtInRoles);
  const rank = ({ id, builtIn }: Role) => (builtIn ? order.indexOf(id) : order.length);
  return rows.map(toRole).sort((a, b) => rank(a) - rank(b));
};

const createRole = (db: Db, input: RoleInput, asking: AuditContext): Promise<Role | Refusal> =>
  changeRights(db, asking, async (trx, by) => {
    const refusal =
      (await refuseName(trx, input.name, null)) ??
      refuseSets(by, [input.permissions]) ??
      refuseRights(by, input);
    if (refusal) return refusal;
    const row = await trx
      .insertInto('roles')
      .values({ id: createId(), ...columnsOf(input) })
      .returningAll()
      .executeTakeFirstOrThrow();
    const role = toRole(row);
    await recordAudit(trx, { ...by, action: 'roles.create', target: `role:${role.id}`, after: role });
    return role;
  });

const changeRole = (
  db: Db,
  id: string,
  { version, ...input }: RoleChange,
  asking: AuditContext,
): Promise<Role | Refusal> =>
  changeRights(db, asking, async (trx, by) => {
    const before = await findOwn(trx, id);
    if (isRefusal(before)) return before;
    const beyond = refuseSets(by, [before.permissions]) ?? refuseRights(by, before, before);
    if (beyond) return beyond;
    if (before.version !== version) return refuse('CONFLICT');
    const refusal =
      (await refuseName(trx, input.name, id)) ??
      refuseSets(by, [input.permissions]) ??
      refuseRights(by, input, before);
    if (refusal) return refusal;
    const row = await trx
      .updateTable('roles')
      .set({ ...columnsOf(input), version: version + 1 })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const after = toRole(row);
    await recordAudit(trx, { ...by, action: 'roles.change', target: `role:${id}`, before, after });
    return after;
  });

const removeRole = (db: Db, id: string, asking: AuditContext): Promise<Role | Refusal> =>
  changeRights(db, asking, async (trx, by) => {
    const before = await findOwn(trx, id);
    if (isRefusal(before)) return before;
    const refusal = refuseSets(by, [before.permissions]) ?? (await refuseInUse(trx, id));
    if (refusal) return refusal;
    await trx.deleteFrom('roles').where('id', '=', id).execute();
    await recordAudit(trx, { ...by, action: 'roles.remove', target: `role:${id}`, before });
    return before;
  });

const toRole = (row: Selectable<Tables['roles']>): Role => ({
  id: row.id,
  name: row.name,
  builtIn: row.permissions === null,
  permissions: [...permissionsOf(row)],
  version: row.version,
});

const columnsOf = ({ name, permissions }: RoleInput) => ({
  name,
  name_key: nameKey(name),
  permissions: [...new Set(permissions)],
});

/** A role that people created, and so can change. */
const findOwn = async (trx: Db, id: string): Promise<Role | Refusal> => {
  const row = await trx.selectFrom('roles').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return refuse('NOT_FOUND');
  return row.permissions === null ? refuse('FORBIDDEN', 'A built-in role cannot be changed.') : toRole(row);
};

const refuseName = async (trx: Db, name: string, ownId: string | null): Promise<Refusal | null> => {
  const rows = await trx.selectFrom('roles').select(['id', 'name']).execute();
  return refuseLookAlike(rows, name, ownId);
};

const refuseSets = ({ actor }: AuditContext, sets: readonly Role['permissions'][]): Refusal | null =>
  refuseBeyond(actor, powersOfSet(sets.flat()));

const powersOfSet = (permissions: Role['permissions']): EffectivePermissions => ({
  permissions: new Set(permissions),
  serverPermissions: new Map(),
});

const refuseRights = (
  { actor }: AuditContext,
  { permissions }: RoleInput,
  before: Pick<RoleInput, 'permissions'> = { permissions: [] },
): Refusal | null => {
  const powers = powersOfSet(permissions);
  return givesRights(powers) || givesStepUpPermission(powers, powersOfSet(before.permissions))
    ? refuseWithoutStepUp(actor)
    : null;
};

const refuseInUse = async (trx: Db, id: string): Promise<Refusal | null> => {
  const holder =
    (await trx.selectFrom('admins').select('id').where('role', '=', id).executeTakeFirst()) ??
    (await trx.selectFrom('server_grants').select('admin_id').where('role', '=', id).executeTakeFirst());
  return holder ? refuse('ROLE_IN_USE') : null;
};

export const bindRolesRoutes = (
  routes: ApiRoutes,
  { db, changes }: Pick<IdentityContext, 'db' | 'changes'>,
): void => {
  routes.on(rolesHttp.list, async () => ({ rows: await listRoles(db) }));
  routes.on(rolesHttp.create, ({ body }, by) => createRole(db, body, by));
  routes.on(rolesHttp.change, async ({ params, body }, by) => {
    const role = demandGranted(await changeRole(db, params.id, body, by));
    changes.announce();
    return role;
  });
  routes.on(rolesHttp.remove, async ({ params }, by) => {
    demandGranted(await removeRole(db, params.id, by));
    return {};
  });
};
