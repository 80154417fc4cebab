import { type Kysely, sql } from 'kysely';
import { accountHttp, type Me } from '#contracts/identity/account.ts';
import type { AuditAction } from '#contracts/kernel/audit-actions.ts';
import { newTotpSecret, totpUri } from '#runtime/auth/totp.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { refuseWithoutStepUp } from '../../kernel/access/step-up.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { demandGranted, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { IdentityContext } from '../identity-context.ts';
import { changeRights } from '../rights-lock.ts';
import type { DeviceCookies } from '../sessions/device-cookie.ts';
import { keepDevice } from '../sessions/known-devices.ts';
import { readCookie } from '../sessions/session-cookies.ts';
import { endSessions } from '../sessions/sessions.ts';
import { forgetRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts';
import { spendSecondFactor, totpSecretColumn } from './second-factor.ts';
import { createStepUp } from './step-up.ts';

type Trx = Kysely<Tables>;

/** Budget for tries at the own password, by someone at an open session. */
const tries = { capacity: 5, refillMs: 30_000 };

/** What an admin does to their own account. A finder of an open browser gets no further: it needs the password. */
const createOwnAccount = (
  context: Pick<IdentityContext, 'db' | 'passwords' | 'secrets' | 'endDiscordLink' | 'now'>,
  devices: DeviceCookies,
) => {
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
    async read({ id, sessionId }: Actor): Promise<Me['account']> {
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

    changePassword: (
      { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string },
      by: AuditContext,
      deviceCookie: string | null,
    ): Promise<object | Refusal> =>
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

    enrolTotp: (
      password: string,
      by: AuditContext,
    ): Promise<{ readonly secret: string; readonly uri: string } | Refusal> =>
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

    async confirmTotp(code: string, by: AuditContext): Promise<readonly string[] | Refusal> {
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

    /** Without the password it needs a step-up. */
    disableTotp: (password: string | undefined, by: AuditContext): Promise<object | Refusal> =>
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

    renewRecoveryCodes: (
      password: string | undefined,
      by: AuditContext,
    ): Promise<readonly string[] | Refusal> =>
      withProof(password, by, async (trx, row) => {
        if (!row.totp_confirmed_at) return refuse('TOTP_STATE', 'Two-step sign-in is not on.');
        const codes = await renewRecoveryCodes(trx, by.actor.id);
        await audit(trx, by, 'account.renew-recovery-codes');
        return codes;
      }),
  };
};

export const bindOwnAccountRoutes = (
  routes: ApiRoutes,
  context: IdentityContext,
  devices: DeviceCookies,
): void => {
  const { community, changes } = context;
  const account = createOwnAccount(context, devices);
  const stepUp = createStepUp(context);
  routes.on(accountHttp.me, async (_input, { actor }) => ({
    kind: kindOf(actor),
    id: actor.id,
    name: actor.name,
    permissions: [...actor.permissions],
    serverPermissions: Object.fromEntries(
      [...actor.serverPermissions].map(([serverId, granted]) => [serverId, [...granted]]),
    ),
    account: await account.read(actor),
    community: await community.read(),
  }));
  routes.on(accountHttp.stepUp, async ({ body }, by) => ({
    until: demandGranted(await stepUp(body, by)).toISOString(),
  }));
  routes.on(accountHttp.changePassword, async ({ body }, by) => {
    demandGranted(await account.changePassword(body, by, readCookie(by.request, 'device')));
    changes.announce();
    return {};
  });
  routes.on(accountHttp.enrolTotp, ({ body }, by) => account.enrolTotp(body.password, by));
  routes.on(accountHttp.confirmTotp, async ({ body }, by) => ({
    recoveryCodes: [...demandGranted(await account.confirmTotp(body.code, by))],
  }));
  routes.on(accountHttp.disableTotp, async ({ body }, by) => {
    demandGranted(await account.disableTotp(body.password, by));
    return {};
  });
  routes.on(accountHttp.renewRecoveryCodes, async ({ body }, by) => ({
    recoveryCodes: [...demandGranted(await account.renewRecoveryCodes(body.password, by))],
  }));
};

/** An actor that passes `signed-in` is one of these. */
const kindOf = ({ kind }: Actor): 'admin' | 'api-key' | 'desktop' => {
  if (kind === 'admin' || kind === 'api-key' || kind === 'desktop') return kind;
  throw new TypeError(`no account of its own: ${kind}`);
};
