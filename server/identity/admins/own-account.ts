import { type Kysely, sql } from 'kysely';
import type { Me } from '#contracts/identity/account.ts';
import type { AuditAction } from '#contracts/kernel/audit-actions.ts';
import { newTotpSecret, totpUri } from '#runtime/auth/totp.ts';
import type { PasswordHasher } from '#runtime/password-hash.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { SecondFactor } from '../../kernel/access/second-factor.ts';
import { refuseWithoutStepUp } from '../../kernel/access/step-up.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { ChangeRights } from '../rights-lock.ts';
import { forgetRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts';

/** How long a try has to wait; 0 when it may be made now, and then it is counted. */
type CountTry = (adminId: string) => number;

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

export const createOwnAccount = (options: {
  readonly db: Kysely<Tables>;
  readonly changeRights: ChangeRights;
  readonly passwords: PasswordHasher;
  readonly secondFactor: SecondFactor;
  readonly countTry: CountTry;
  /** Ends all other sessions of the admin, in the caller's transaction. */
  readonly endOtherSessions: (trx: Kysely<Tables>, actor: Actor) => Promise<unknown>;
  /** A Discord account that acts for the admin loses that link, in the caller's transaction. */
  readonly endDiscordLink: (trx: Kysely<Tables>, adminId: string) => Promise<void>;
  /** Keeps the admin's browser a known device, in the transaction that changes the password. */
  readonly keepDevice: (
    trx: Kysely<Tables>,
    of: { readonly adminId: string; readonly name: string; readonly oldPasswordHash: string },
    cookie: string | null,
  ) => Promise<void>;
}): OwnAccount => {
  const {
    db,
    changeRights,
    passwords,
    secondFactor,
    countTry,
    endOtherSessions,
    endDiscordLink,
    keepDevice,
  } = options;

  const find = (trx: Trx, id: string) =>
    trx
      .selectFrom('admins')
      .select(['name', 'password_hash', 'totp_secret', 'totp_confirmed_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
  type OwnRow = Awaited<ReturnType<typeof find>>;

  const refuseHaste = (id: string): Refusal | null => {
    const retryAfterMs = countTry(id);
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
        await endOtherSessions(trx, by.actor);
        await endDiscordLink(trx, by.actor.id);
        await keepDevice(trx, { adminId: by.actor.id, name, oldPasswordHash }, deviceCookie);
        await audit(trx, by, 'account.change-password');
        return {};
      }),

    enrolTotp: (password, by) =>
      withPassword(password, by, async (trx, row) => {
        if (row.totp_confirmed_at) return refuse('TOTP_STATE', 'Two-step sign-in is on already.');
        const secret = newTotpSecret();
        await trx
          .updateTable('admins')
          .set({ totp_secret: secondFactor.seal(by.actor.id, secret), totp_last_step: null })
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
        if ((await secondFactor.spend(trx, id, code)) !== 'totp') return refuse('WRONG_CREDENTIALS');
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
