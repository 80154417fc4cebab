import type { Kysely } from 'kysely';
import { newPassword } from '#contracts/kernel/person-name.ts';
import { totpStepOf, totpUri } from '#runtime/auth/totp.ts';
import type { Clock } from '#runtime/clock.ts';
import type { PasswordHasher } from '#runtime/password-hash.ts';
import { Secret } from '#runtime/secret.ts';
import type { SecretBox } from '#runtime/secret-box.ts';
import type { PortalTables } from '../../database/tables.ts';
import { recordVendorEvent } from '../event-log.ts';
import { accountTotpColumn, renewRecoveryCodes, sessionTotpColumn } from './second-factor.ts';
import { letIn, type SignedIn } from './sign-in.ts';
import type { VendorClient, VendorSessions } from './vendor-sessions.ts';

/** What an authenticator needs. */
export interface AuthenticatorOffer {
  readonly secret: Secret;
  readonly uri: string;
}

type EnrolAnswer =
  | (SignedIn & { readonly recoveryCodes: readonly string[] })
  | { readonly outcome: 'wrong-code' }
  | { readonly outcome: 'bad-password'; readonly code: 'length' | 'initial' }
  | { readonly outcome: 'gone' };

export interface Enrolment {
  /** Null if the session does not wait for an enrolment. */
  offer(token: string): Promise<AuthenticatorOffer | null>;
  /** The first sign-in: the person's own password in place of the initial one, and an authenticator. */
  enrol(
    token: string,
    wanted: { code: string; password: string },
    client: VendorClient,
  ): Promise<EnrolAnswer>;
}

export const createEnrolment = ({
  db,
  box,
  clock,
  passwords,
  sessions,
}: {
  readonly db: Kysely<PortalTables>;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly passwords: PasswordHasher;
  readonly sessions: VendorSessions;
}): Enrolment => {
  const openOffer = (session: { id: string; totp_sealed: string | null }): Secret | null =>
    session.totp_sealed === null
      ? null
      : new Secret(box.open(session.totp_sealed, sessionTotpColumn.placeOf(session.id)).toString());

  return {
    offer: (token) =>
      db.transaction().execute(async (trx) => {
        const locked = await sessions.lock(trx, token);
        const secret = locked && openOffer(locked.session);
        return secret ? { secret, uri: totpUri(secret, locked.account.name) } : null;
      }),

    async enrol(token, { code, password }, client) {
      const vendor = await sessions.find(token);
      if (vendor?.stage !== 'enrol') return { outcome: 'gone' };
      const chosen = newPassword.safeParse(password);
      if (!chosen.success) return { outcome: 'bad-password', code: 'length' };
      const initial = await db
        .selectFrom('vendor_accounts')
        .select('password_hash')
        .where('id', '=', vendor.accountId)
        .executeTakeFirstOrThrow();
      if (await passwords.verify(initial.password_hash, chosen.data))
        return { outcome: 'bad-password', code: 'initial' };
      const passwordHash = await passwords.hash(chosen.data);

      return db.transaction().execute(async (trx): Promise<EnrolAnswer> => {
        const locked = await sessions.lock(trx, token);
        const secret = locked && openOffer(locked.session);
        // If two begin at the same time, one enrols; the other finds that it is done.
        if (!secret || locked.account.totp_sealed !== null) return { outcome: 'gone' };
        const { account } = locked;
        const now = clock.now();
        const step = totpStepOf(secret, code, { lastStep: null, nowMs: now.getTime() });
        if (step === null) return { outcome: 'wrong-code' };
        await trx
          .updateTable('vendor_accounts')
          .set({
            password_hash: passwordHash,
            initial_until: null,
            totp_sealed: box.seal(secret.reveal(), accountTotpColumn.placeOf(account.id)),
            totp_last_step: String(step),
          })
          .where('id', '=', account.id)
          .execute();
        const recoveryCodes = await renewRecoveryCodes(trx, account.id);
        await sessions.endAll(trx, account.id);
        await recordVendorEvent(trx, { kind: 'authenticator_enrolled', by: account.name, at: now });
        const signedIn = await letIn(trx, sessions, { account, session: null, client, now });
        return { ...signedIn, recoveryCodes };
      });
    },
  };
};
