import type { Kysely } from 'kysely';
import {
  type Admin,
  type AdminChange,
  adminsHttp,
  type NewAdmin,
  type PasswordReset,
} from '#contracts/identity/admins.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { refuseWithoutStepUp } from '../../kernel/access/step-up.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { demandGranted, isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { effectivePermissionsOfAdmin } from '../admins-with-grants.ts';
import { keysOf, revokeKeysOf } from '../api-keys/api-keys.ts';
import { givesRights, givesStepUpPermission, refuseBeyond, refuseUnlessOwner } from '../escalation.ts';
import type { IdentityContext } from '../identity-context.ts';
import { changeRights } from '../rights-lock.ts';
import type { EffectivePermissions } from '../roles/effective-permissions.ts';
import { forgetDevices } from '../sessions/known-devices.ts';
import { endSessions, listSessions } from '../sessions/sessions.ts';
import { adminRows, findAdmin, insertAdmin, replaceGrants, toAdmin } from './admin-rows.ts';
import { refuseLastOwner, refuseName, refuseUnknownServers, resolvePermissions } from './admin-rules.ts';
import { forgetRecoveryCodes } from './recovery-codes.ts';
import { hasOwner, withdrawSetupLink } from './setup-link.ts';

interface ChangedAdmin {
  readonly admin: Admin;
  /** The ids of keys that no longer open anything. */
  readonly endedKeys: readonly string[];
}

type AdminsContext = Pick<IdentityContext, 'db' | 'passwords' | 'firstUnknownServer' | 'endDiscordLink'>;

/** Everything that an admin is signed in by, in the caller's transaction. @returns how many sessions were ended */
const endAccess = async (
  trx: Kysely<Tables>,
  adminId: string,
  { endDiscordLink }: Pick<AdminsContext, 'endDiscordLink'>,
): Promise<number> => {
  await forgetDevices(trx, adminId);
  await endDiscordLink(trx, adminId);
  return endSessions(trx, { adminId });
};

const listAdmins = async (db: Kysely<Tables>): Promise<Admin[]> => {
  const rows = await adminRows(db).orderBy('admins.name_key').execute();
  return rows.map(toAdmin);
};

const createAdmin = async (
  context: AdminsContext,
  { password, ...input }: NewAdmin,
  asking: AuditContext,
): Promise<Admin | Refusal> => {
  const passwordHash = await context.passwords.hash(password);
  return changeRights(context.db, asking, async (trx, by) => {
    const powers = await resolvePermissions(trx, input);
    if (isRefusal(powers)) return powers;
    const refusal =
      refuseBeyond(by.actor, powers) ??
      // The first owner: there is no account yet that could be taken over.
      (by.actor.kind === 'desktop' && !(await hasOwner(trx))
        ? null
        : refuseRights(by.actor, input.role, powers)) ??
      (await refuseName(trx, input.name, null)) ??
      (await refuseUnknownServers(trx, input.serverGrants, context));
    if (refusal) return refusal;
    const admin = await insertAdmin(trx, { ...input, passwordHash });
    await recordAudit(trx, { ...by, action: 'admins.create', target: `admin:${admin.id}`, after: admin });
    return admin;
  });
};

const changeAdmin = (
  context: AdminsContext,
  id: string,
  change: AdminChange,
  asking: AuditContext,
): Promise<ChangedAdmin | Refusal> =>
  changeRights(context.db, asking, async (trx, by) => {
    const row = await findAdmin(trx, id);
    if (!row) return refuse('NOT_FOUND');
    const before = toAdmin(row);
    const after = changed(before, change);
    const { name, role, serverGrants, disabled, version } = after;
    const held = effectivePermissionsOfAdmin(row);
    const beyond = refuseBeyond(by.actor, held) ?? refuseRights(by.actor, before.role, held, held);
    if (beyond) return beyond;
    if (before.version !== change.version) return refuse('CONFLICT');
    const powers = await resolvePermissions(trx, { role, serverGrants });
    if (isRefusal(powers)) return powers;
    const refusal =
      refuseBeyond(by.actor, powers) ??
      refuseRights(by.actor, role, powers, held) ??
      (await refuseName(trx, name, id)) ??
      (await refuseUnknownServers(trx, change.serverGrants ?? [], context)) ??
      (await refuseLastOwner(trx, before, role === 'owner' && !disabled));
    if (refusal) return refusal;
    await trx
      .updateTable('admins')
      .set({ name, name_key: nameKey(name), role, disabled, version })
      .where('id', '=', id)
      .execute();
    await replaceGrants(trx, id, serverGrants);
    if (disabled) await endAccess(trx, id, context);
    await recordAudit(trx, { ...by, action: 'admins.change', target: `admin:${id}`, before, after });
    return { admin: after, endedKeys: disabled ? await keysOf(trx, id) : [] };
  });

const removeAdmin = (db: Kysely<Tables>, id: string, asking: AuditContext): Promise<ChangedAdmin | Refusal> =>
  changeRights(db, asking, async (trx, by) => {
    const row = await findAdmin(trx, id);
    if (!row) return refuse('NOT_FOUND');
    const before = toAdmin(row);
    const held = effectivePermissionsOfAdmin(row);
    const refusal =
      refuseBeyond(by.actor, held) ??
      refuseRights(by.actor, before.role, held, held) ??
      (await refuseLastOwner(trx, before, false));
    if (refusal) return refusal;
    const endedKeys = await keysOf(trx, id);
    await trx.deleteFrom('admins').where('id', '=', id).execute();
    await recordAudit(trx, { ...by, action: 'admins.remove', target: `admin:${id}`, before });
    return { admin: before, endedKeys };
  });

const resetPassword = async (
  context: AdminsContext,
  id: string,
  { password, clearTotp, keepApiKeys }: PasswordReset,
  asking: AuditContext,
): Promise<ChangedAdmin | Refusal> => {
  if (asking.actor.kind === 'admin' && asking.actor.id === id)
    return refuse('FORBIDDEN', 'Your own password you change with the one that you have.');
  const passwordHash = await context.passwords.hash(password);
  return changeRights(context.db, asking, async (trx, by) => {
    const row = await findAdmin(trx, id);
    if (!row) return refuse('NOT_FOUND');
    const refusal =
      refuseBeyond(by.actor, effectivePermissionsOfAdmin(row)) ?? refuseOwners(by.actor, row.role);
    if (refusal) return refusal;
    const noTotp = { totp_secret: null, totp_confirmed_at: null, totp_last_step: null };
    await trx
      .updateTable('admins')
      .set({ password_hash: passwordHash, ...(clearTotp ? noTotp : {}) })
      .where('id', '=', id)
      .execute();
    if (clearTotp) await forgetRecoveryCodes(trx, id);
    await endAccess(trx, id, context);
    const endedKeys = keepApiKeys ? [] : await revokeKeysOf(trx, id);
    const admin = { ...toAdmin(row), ...(clearTotp ? { totp: false } : {}) };
    await recordAudit(trx, {
      ...by,
      action: 'admins.reset-password',
      target: `admin:${id}`,
      after: { name: admin.name, totpCleared: clearTotp, keysRevoked: endedKeys.length },
    });
    return { admin, endedKeys };
  });
};

/** @returns how many sessions were ended */
const signOutAdmin = (context: AdminsContext, id: string, asking: AuditContext): Promise<number | Refusal> =>
  changeRights(context.db, asking, async (trx, by) => {
    const row = await findAdmin(trx, id);
    if (!row) return refuse('NOT_FOUND');
    const refusal =
      refuseBeyond(by.actor, effectivePermissionsOfAdmin(row)) ?? refuseOwners(by.actor, row.role);
    if (refusal) return refusal;
    const ended = await endAccess(trx, id, context);
    await recordAudit(trx, { ...by, action: 'sessions.end', target: `admin:${id}`, after: { ended } });
    return ended;
  });

const refuseOwners = (actor: Actor, role: string | null): Refusal | null =>
  role === 'owner' ? refuseUnlessOwner(actor) : null;

/**
 * Changing an admin who can give permissions, before or after the change, needs a step-up, and so does giving
 * permissions that reach as far; changing an owner needs an owner.
 */
const refuseRights = (
  actor: Actor,
  role: string | null,
  powers: EffectivePermissions,
  before?: EffectivePermissions,
): Refusal | null =>
  refuseOwners(actor, role) ??
  (givesRights(powers) || givesStepUpPermission(powers, before) ? refuseWithoutStepUp(actor) : null);

/** Members that are not named stay unchanged. */
const changed = (before: Admin, { name, role, serverGrants, disabled }: AdminChange): Admin => ({
  ...before,
  version: before.version + 1,
  name: name ?? before.name,
  role: role === undefined ? before.role : role,
  serverGrants: serverGrants ?? before.serverGrants,
  disabled: disabled ?? before.disabled,
});

export const bindAdminsRoutes = (routes: ApiRoutes, context: IdentityContext): void => {
  const { db, changes, keysInUse } = context;
  const changed = async (result: ChangedAdmin | Refusal): Promise<Admin> => {
    const { admin, endedKeys } = demandGranted(result);
    changes.announce();
    await keysInUse.ended(endedKeys);
    return admin;
  };

  routes.on(adminsHttp.list, async () => ({ rows: await listAdmins(db) }));
  routes.on(adminsHttp.create, async ({ body }, by) => {
    const admin = demandGranted(await createAdmin(context, body, by));
    // It may be the first owner.
    await withdrawSetupLink(context);
    return admin;
  });
  routes.on(adminsHttp.change, async ({ params, body }, by) =>
    changed(await changeAdmin(context, params.id, body, by)),
  );
  routes.on(adminsHttp.remove, async ({ params }, by) => {
    await changed(await removeAdmin(db, params.id, by));
    return {};
  });
  routes.on(adminsHttp.resetPassword, async ({ params, body }, by) =>
    changed(await resetPassword(context, params.id, body, by)),
  );
  routes.on(adminsHttp.sessions, async ({ params }, { actor }) => ({
    rows: await listSessions(db, params.id, actor.sessionId),
  }));
  routes.on(adminsHttp.endSessions, async ({ params }, by) => {
    const ended = demandGranted(await signOutAdmin(context, params.id, by));
    changes.announce();
    return { ended };
  });
};
