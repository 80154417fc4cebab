import { type Kysely, sql } from 'kysely';
import type { Me } from '#contracts/identity/account.ts';
import type { AuditAction } from '#contracts/kernel/audit-actions.ts';
import { newTotpSecret, totpUri } from '#runtime/auth/totp.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { refuseWithoutStepUp } from '../../kernel/access/step-up.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { IdentityContext } from '../identity-context.ts';
import { changeRights } from '../rights-lock.ts';
import type { DeviceCookies } from '../sessions/device-cookie.ts';
import { keepDevice } from '../sessions/known-devices.ts';
import { endSessions } from '../sessions/sessions.ts';
import { forgetRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts';
import { spendSecondFactor, totpSecretColumn } from './second-factor.ts';

/** What an admin does to their own account. A finder of an open browser gets no further: it needs the password. */
export interface OwnAccount {
  read(actor: Actor): Promise<Me['account']>;
  changePassword(
    passwords: { readonly currentPassword: string; readonly newPassword: string },
    by: AuditContext,
    deviceCookie: string | null,
  ): Promise<object | Refusal>;
  enrolTotp(
    password: string,
    by: AuditContext,
  ): Promise<{ readonly secret: string; readonly uri: string } | Refusal>;
  confirmTotp(code: string, by: AuditContext): Promise<readonly string[] | Refusal>;
  /** Without the password it needs a step-up. */
  disableTotp(password: string | undefined, by: AuditContext): Promise<object | Refusal>;
  renewRecoveryCodes(password: string | undefined, by: AuditContext): Promise<readonly string[] | Refusal>;
}

type Trx = Kysely<Tables>;

/** Budget for tries at the own password, by someone at an open session. */
const tries = { capacity: 5, refillMs: 30_000 };

export const createOwnAccount = (
  context: Pick<IdentityContext, 'db' | 'passwords' | 'secrets' | 'endDiscordLink' | 'now'>,
  devices: DeviceCookies,
): OwnAccount => {
  const { db, passwords, secrets, endDiscordLink, now } = context;
  const triesOf = createTokenBuckets(tries, now);

  const find = (trx: Trx, id: string) =>
    trx
      .selectFrom('admins')
      .select(['name', 'password_hash', 'totp_secret', 'totp_confirmed_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
  type OwnRow = Awaited<ReturnType<typeof find>>;

  const refuseHaste = (id: string): Refusal | null => {
    const retryAfterMs = triesOf.tryTake(id);
    return retryAfterMs > 0 ? { refused: 'RATE_LIMITED', retryAfterMs } : null;
  };
  /** Changes the admin's own row once the password was verified. A refusal leaves everything unchanged. */
  const withPassword = async <Result>(
    password: string,
    by: AuditContext,
    change: (trx: Trx, row: OwnRow) => Promise<Result | Refusal>,
  ): Promise<Result | Refusal> => {
    const { id } = by.actor;
    const haste = refuseHaste(id);
    if (haste) return haste;
    const { password_hash } = await find(db, id);
    if (!(await passwords.verify(password_hash, password)))
      return refuse('WRONG_CREDENTIALS', 'This is not your password.');
    return db.transaction().execute(async (trx) => {
      const row = await find(trx, id);
      // It was changed in between, so the password did not match.
      return row.password_hash === password_hash ? change(trx, row) : refuse('WRONG_CREDENTIALS');
    });
  };
  const withProof = async <Result>(
    password: string | undefined,
    by: AuditContext,
    change: (trx: Trx, row: OwnRow) => Promise<Result | Refusal>,
  ): Promise<Result | Refusal> => {
    if (password !== undefined) return withPassword(password, by, change);
    return changeRights(
      db,
      by,
      async (trx, { actor }) => refuseWithoutStepUp(actor) ?? (await change(trx, await find(trx, actor.id))),
    );
  };
  const audit = (trx: Trx, by: AuditContext, action: AuditAction) =>
    recordAudit(trx, { ...by, action, target: `admin:${by.actor.id}` });

  return {
    async read({ id, sessionId }) {
      if (sessionId === undefined) return null;
      const { role, totp_secret, totp_confirmed_at, codes } = await db
        .selectFrom('admins')
        .select((of) => [
          'role',
          'totp_secret',
          'totp_confirmed_at',
          of
            .selectFrom('recovery_codes')
            .whereRef('admin_id', '=', 'admins.id')
            .select(sql<number>`count(*)::int`.as('count'))
            .as('codes'),
        ])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const pending = totp_secret === null ? 'off' : 'pending';
      return { role, sessionId, totp: totp_confirmed_at ? 'on' : pending, recoveryCodesLeft: codes ?? 0 };
    },

    changePassword: ({ currentPassword, newPassword }, by, deviceCookie) =>
      withPassword(currentPassword, by, async (trx, { name, password_hash: oldPasswordHash }) => {
        const password_hash = await passwords.hash(newPassword);
        await trx.updateTable('admins').set({ password_hash }).where('id', '=', by.actor.id).execute();
        const { id: adminId, sessionId } = by.actor;
        await endSessions(trx, { adminId, ...(sessionId === undefined ? {} : { except: sessionId }) });
        await endDiscordLink(trx, adminId);
        const device = devices.deviceOf(deviceCookie, nameKey(name));
        if (device !== null) await keepDevice(trx, { adminId, device, oldPasswordHash });
        await audit(trx, by, 'account.change-password');
        return {};
      }),

    enrolTotp: (password, by) =>
      withPassword(password, by, async (trx, row) => {
        if (row.totp_confirmed_at) return refuse('TOTP_STATE', 'Two-step sign-in is on already.');
        const secret = newTotpSecret();
        await trx
          .updateTable('admins')
          .set({ totp_secret: secrets.seal(totpSecretColumn, [by.actor.id], secret), totp_last_step: null })
          .where('id', '=', by.actor.id)
          .execute();
        await audit(trx, by, 'account.totp-enrol');
        return { secret: secret.reveal(), uri: totpUri(secret, row.name) };
      }),

    async confirmTotp(code, by) {
      const { id } = by.actor;
      const haste = refuseHaste(id);
      if (haste) return haste;
      return db.transaction().execute(async (trx) => {
        const row = await find(trx, id);
        if (row.totp_confirmed_at || row.totp_secret === null)
          return refuse('TOTP_STATE', 'No enrolment was begun, or it is finished.');
        if ((await spendSecondFactor(trx, context, id, code)) !== 'totp') return refuse('WRONG_CREDENTIALS');
        await trx.updateTable('admins').set({ totp_confirmed_at: sql`now()` }).where('id', '=', id).execute();
        await audit(trx, by, 'account.totp-on');
        return renewRecoveryCodes(trx, id);
      });
    },

    disableTotp: (password, by) =>
      withProof(password, by, async (trx, row) => {
        if (row.totp_secret === null) return refuse('TOTP_STATE', 'Two-step sign-in is not on.');
        await trx
          .updateTable('admins')
          .set({ totp_secret: null, totp_confirmed_at: null, totp_last_step: null })
          .where('id', '=', by.actor.id)
          .execute();
        await forgetRecoveryCodes(trx, by.actor.id);
        await audit(trx, by, 'account.totp-off');
        return {};
      }),

    renewRecoveryCodes: (password, by) =>
      withProof(password, by, async (trx, row) => {
        if (!row.totp_confirmed_at) return refuse('TOTP_STATE', 'Two-step sign-in is not on.');
        const codes = await renewRecoveryCodes(trx, by.actor.id);
        await audit(trx, by, 'account.renew-recovery-codes');
        return codes;
      }),
  };
};
