import { type Kysely, sql } from 'kysely';
import type { SecondFactorKind } from '#runtime/auth/second-factor.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { spendSecondFactor } from '../admins/second-factor.ts';
import { adminActor, enabledAdmins } from '../admins-with-grants.ts';
import type { IdentityContext } from '../identity-context.ts';
import { createChallenges } from './challenges.ts';
import type { DeviceCookies } from './device-cookie.ts';
import { isKnownDevice, rememberDevice } from './known-devices.ts';
import { type Client, openSession } from './sessions.ts';
import {
  type Attempt,
  codeLimits,
  createSignInThrottle,
  passwordLimits,
  type SignInThrottle,
} from './sign-in-throttle.ts';

export interface SignInClient extends Client {
  readonly deviceCookie: string | null;
  /** Keeps cookies, so that it can be recognized; scripts would only crowd out the browsers. */
  readonly isBrowser: boolean;
}

export interface SignedIn {
  readonly outcome: 'signed-in';
  readonly sessionId: string;
  readonly token: string;
  /** Null unless it is a browser. */
  readonly deviceCookie: string | null;
}

export interface SignIn {
  withPassword(
    shown: { readonly name: string; readonly password: string },
    client: SignInClient,
  ): Promise<SignedIn | { readonly outcome: 'second-step'; readonly challenge: string } | Refusal>;
  withCode(
    shown: { readonly challenge: string; readonly code: string },
    client: SignInClient,
  ): Promise<SignedIn | Refusal>;
}

/** What proved the admin's identity; null when nothing did. */
type Proof = 'password' | SecondFactorKind | null;

export const createSignIn = (
  context: Pick<IdentityContext, 'db' | 'passwords' | 'secrets' | 'events' | 'now'>,
  devices: DeviceCookies,
): SignIn => {
  const { db, passwords, events, now } = context;
  const passwordThrottle = createSignInThrottle(passwordLimits, now);
  const codeThrottle = createSignInThrottle(codeLimits, now);
  const challenges = createChallenges(now);
  /** After a wrong password or code for an existing admin. */
  const noteFailure = (name: string, { address }: SignInClient) =>
    events.record('login.failed', { name, address });

  /** A cookie that is not ours costs no database query. */
  const knownDevice = async (on: Kysely<Tables>, account: string, cookie: string | null) => {
    const device = devices.deviceOf(cookie, account);
    if (cookie === null || device === null) return null;
    return (await isKnownDevice(on, account, device)) ? { cookie, device } : null;
  };
  const attemptOf = async (account: string, { address, deviceCookie }: SignInClient): Promise<Attempt> => ({
    account,
    address: countedAddress(address),
    device: (await knownDevice(db, account, deviceCookie))?.device ?? null,
  });

  /** Everything is checked again under a lock: a password changed in between opens nothing. */
  const open = (
    {
      adminId,
      account,
      passwordHash,
    }: {
      readonly adminId: string;
      readonly name: string;
      readonly account: string;
      readonly passwordHash: string;
    },
    client: SignInClient,
    prove: (trx: Kysely<Tables>) => Promise<Proof>,
  ): Promise<SignedIn | Refusal> =>
    db.transaction().execute(async (trx: Kysely<Tables>) => {
      const admin = await enabledAdmins(trx)
        .where('admins.id', '=', adminId)
        .where('admins.password_hash', '=', passwordHash)
        .forUpdate('admins')
        .executeTakeFirst();
      const by = admin ? await prove(trx) : null;
      if (!admin || by === null) return refuse('WRONG_CREDENTIALS');
      const session = await openSession(trx, adminId, client);
      await trx
        .updateTable('admins')
        .set({ last_sign_in_at: sql`now()` })
        .where('id', '=', adminId)
        .execute();
      await recordAudit(trx, {
        actor: adminActor(admin, session.id),
        address: client.address,
        action: 'sessions.start',
        target: `session:${session.id}`,
        after: { by, userAgent: client.userAgent },
      });
      await recordEvent(trx, 'admin.signed-in', { adminId, name: admin.name, address: client.address });
      const signedIn = { outcome: 'signed-in', sessionId: session.id, token: session.token } as const;
      if (!client.isBrowser) return { ...signedIn, deviceCookie: null };
      const known = await knownDevice(trx, account, client.deviceCookie);
      const { cookie, device } = known ?? devices.issue(account);
      await rememberDevice(trx, adminId, device);
      return { ...signedIn, deviceCookie: cookie };
    });

  return {
    async withPassword({ name, password }, client) {
      const account = nameKey(name);
      const admission = admit(passwordThrottle, await attemptOf(account, client));
      if (isRefusal(admission)) return admission;
      const admin = await db
        .selectFrom('admins')
        .select(['id', 'name', 'password_hash', 'disabled', 'totp_confirmed_at'])
        .where('name_key', '=', account)
        .executeTakeFirst();
      const isRight = await passwords.verify(admin?.password_hash ?? null, password);
      if (!admin || !isRight || admin.disabled) {
        // Never the name as typed: people type their password there.
        if (admin) noteFailure(admin.name, client);
        return refuse('WRONG_CREDENTIALS');
      }
      admission.succeed();
      const proven = { adminId: admin.id, name: admin.name, account, passwordHash: admin.password_hash };
      if (admin.totp_confirmed_at) return { outcome: 'second-step', challenge: challenges.open(proven) };
      return open(proven, client, async () => 'password');
    },

    async withCode({ challenge: token, code }, client) {
      const challenge = challenges.peek(token);
      if (!challenge)
        return refuse('WRONG_CREDENTIALS', 'This took too long or too many tries: sign in again.');
      const admission = admit(codeThrottle, await attemptOf(challenge.account, client));
      if (isRefusal(admission)) return admission;
      const taken = challenges.take(token);
      let result: SignedIn | Refusal = refuse('WRONG_CREDENTIALS');
      try {
        if (taken)
          result = await open(taken, client, (trx) => spendSecondFactor(trx, context, taken.adminId, code));
      } finally {
        if (isRefusal(result)) taken?.putBack();
        else admission.succeed();
      }
      if (isRefusal(result)) noteFailure(challenge.name, client);
      return result;
    },
  };
};

const admit = (throttle: SignInThrottle, attempt: Attempt) => {
  const admission = throttle.admit(attempt);
  if (admission.outcome === 'admitted') return admission;
  return {
    ...refuse('RATE_LIMITED', 'Too many tries that failed.'),
    retryAfterMs: admission.retryAfterMs,
  };
};
