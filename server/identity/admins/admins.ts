import type { Kysely } from 'kysely';
import type { Admin, AdminChange, NewAdmin, PasswordReset } from '#contracts/identity/admins.ts';
import type { PasswordHasher } from '#runtime/password-hash.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { refuseWithoutStepUp } from '../../kernel/access/step-up.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { effectivePermissionsOfAdmin } from '../admins-with-grants.ts';
import { givesRights, givesStepUpPermission, refuseBeyond, refuseUnlessOwner } from '../escalation.ts';
import type { ChangeRights } from '../rights-lock.ts';
import type { EffectivePermissions } from '../roles/effective-permissions.ts';
import { adminRows, findAdmin, insertAdmin, replaceGrants, toAdmin } from './admin-rows.ts';
import {
  type FirstUnknownServer,
  refuseLastOwner,
  refuseName,
  refuseUnknownServers,
  resolvePermissions,
} from './admin-rules.ts';
import { forgetRecoveryCodes } from './recovery-codes.ts';
import { hasOwner } from './setup-link.ts';

export interface ChangedAdmin {
  readonly admin: Admin;
  /** The ids of keys that no longer open anything. */
  readonly endedKeys: readonly string[];
}

export interface Admins {
  list(): Promise<Admin[]>;
  create(input: NewAdmin, by: AuditContext): Promise<Admin | Refusal>;
  change(id: string, change: AdminChange, by: AuditContext): Promise<ChangedAdmin | Refusal>;
  remove(id: string, by: AuditContext): Promise<ChangedAdmin | Refusal>;
  resetPassword(id: string, reset: PasswordReset, by: AuditContext): Promise<ChangedAdmin | Refusal>;
  /** @returns how many sessions were ended */
  signOut(id: string, by: AuditContext): Promise<number | Refusal>;
}

export const createAdmins = (options: {
  readonly db: Kysely<Tables>;
  readonly changeRights: ChangeRights;
  readonly passwords: PasswordHasher;
  /** In the caller's transaction. */
  readonly endSessions: (trx: Kysely<Tables>, adminId: string) => Promise<number>;
  /** Revokes the keys that the admin created, in the caller's transaction. @returns their ids */
  readonly revokeKeys: (trx: Kysely<Tables>, adminId: string) => Promise<readonly string[]>;
  /** The ids of the keys that the admin created, in the caller's transaction. */
  readonly keysOf: (trx: Kysely<Tables>, adminId: string) => Promise<readonly string[]>;
  readonly firstUnknownServer: FirstUnknownServer;
}): Admins => {
  const { db, changeRights, passwords, endSessions, revokeKeys, keysOf, firstUnknownServer } = options;
  return {
    async list() {
      const rows = await adminRows(db).orderBy('admins.name_key').execute();
      return rows.map(toAdmin);
    },

    async create({ password, ...input }, asking) {
      const passwordHash = await passwords.hash(password);
      return changeRights(asking, async (trx, by) => {
        const powers = await resolvePermissions(trx, input);
        if (isRefusal(powers)) return powers;
        const refusal =
          refuseBeyond(by.actor, powers) ??
          // The first owner: there is no account yet that could be taken over.
          (by.actor.kind === 'desktop' && !(await hasOwner(trx))
            ? null
            : refuseRights(by.actor, input.role, powers)) ??
          (await refuseName(trx, input.name, null)) ??
          (await refuseUnknownServers(trx, input.serverGrants, firstUnknownServer));
        if (refusal) return refusal;
        const admin = await insertAdmin(trx, { ...input, passwordHash });
        await recordAudit(trx, { ...by, action: 'admins.create', target: `admin:${admin.id}`, after: admin });
        return admin;
      });
    },

    change: (id, change, asking) =>
      changeRights(asking, async (trx, by) => {
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
          (await refuseUnknownServers(trx, change.serverGrants ?? [], firstUnknownServer)) ??
          (await refuseLastOwner(trx, before, role === 'owner' && !disabled));
        if (refusal) return refusal;
        await trx
          .updateTable('admins')
          .set({ name, name_key: nameKey(name), role, disabled, version })
          .where('id', '=', id)
          .execute();
        await replaceGrants(trx, id, serverGrants);
        if (disabled) await endSessions(trx, id);
        await recordAudit(trx, { ...by, action: 'admins.change', target: `admin:${id}`, before, after });
        return { admin: after, endedKeys: disabled ? await keysOf(trx, id) : [] };
      }),

    remove: (id, asking) =>
      changeRights(asking, async (trx, by) => {
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
      }),

    async resetPassword(id, { password, clearTotp, keepApiKeys }, asking) {
      if (asking.actor.kind === 'admin' && asking.actor.id === id)
        return refuse('FORBIDDEN', 'Your own password you change with the one that you have.');
      const passwordHash = await passwords.hash(password);
      return changeRights(asking, async (trx, by) => {
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
        await endSessions(trx, id);
        const endedKeys = keepApiKeys ? [] : await revokeKeys(trx, id);
        const admin = { ...toAdmin(row), ...(clearTotp ? { totp: false } : {}) };
        await recordAudit(trx, {
          ...by,
          action: 'admins.reset-password',
          target: `admin:${id}`,
          after: { name: admin.name, totpCleared: clearTotp, keysRevoked: endedKeys.length },
        });
        return { admin, endedKeys };
      });
    },

    signOut: (id, asking) =>
      changeRights(asking, async (trx, by) => {
        const row = await findAdmin(trx, id);
        if (!row) return refuse('NOT_FOUND');
        const refusal =
          refuseBeyond(by.actor, effectivePermissionsOfAdmin(row)) ?? refuseOwners(by.actor, row.role);
        if (refusal) return refusal;
        const ended = await endSessions(trx, id);
        await recordAudit(trx, { ...by, action: 'sessions.end', target: `admin:${id}`, after: { ended } });
        return ended;
      }),
  };
};

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
