import { type Kysely, sql, type Transaction } from 'kysely';
import { signInCodeMinutes } from '#contracts/customers.ts';
import type { Clock } from '../clock.ts';
import type { PortalTables } from '../database/tables.ts';
import type { Outbox } from '../mail/outbox.ts';
import { countAttempts } from './attempt-limits.ts';
import { type CodeUse, ofHolder, putCode, type TakenCode, takeCode } from './customer-codes.ts';
import { signInCodeLetter } from './customer-letters.ts';
import { type CustomerSessions, type SessionClient, sessionEnd } from './customer-sessions.ts';
import { newSecretToken } from './one-time-code.ts';

type Trx = Transaction<PortalTables>;

export interface RateLimited {
  readonly outcome: 'rate-limited';
  readonly retryAfterSeconds: number;
}

export type CodeRequest = { readonly outcome: 'asked' } | RateLimited;

export type SignInAnswer =
  | {
      readonly outcome: 'signed-in';
      readonly token: string;
      readonly email: string;
      readonly expiresAt: Date;
    }
  | Exclude<TakenCode, { outcome: 'right' }>
  | RateLimited;

export interface SignIn {
  /** A secret for a browser or program that is about to ask for a code. */
  newPending(): string;
  /** Mails a code that is good for whoever holds `pending`. Answer and work do not tell whether there is such a customer. */
  requestCode(email: string, pending: string, address: string): Promise<CodeRequest>;
  /** The address that the last code was asked for; null when no code is under way. */
  askedFor(pending: string): Promise<string | null>;
  /** @param previous the token of a session that ends with this sign-in */
  signIn(
    pending: string,
    code: string,
    client: SessionClient,
    previous?: string | null,
  ): Promise<SignInAnswer>;
}

export interface SignInOptions {
  readonly db: Kysely<PortalTables>;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly sessions: CustomerSessions;
  readonly accountUrl: string | null;
}

const codeUse = (pending: string): CodeUse => ({ holder: pending, purpose: 'sign-in', licenseId: null });

export const createSignIn = ({ db, clock, outbox, sessions, accountUrl }: SignInOptions): SignIn => ({
  newPending: () => newSecretToken('pend'),

  async requestCode(email, pending, address) {
    const wanted = email.toLowerCase();
    const retryAfterSeconds = await countAttempts(db, [
      { scope: 'code-from-address', subject: address },
      { scope: 'code-for-email-from-address', subject: JSON.stringify([wanted, address]) },
      { scope: 'code-for-email', subject: wanted },
    ]);
    if (retryAfterSeconds !== null) return { outcome: 'rate-limited', retryAfterSeconds };
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + signInCodeMinutes * 60_000);
    await db.transaction().execute(async (trx) => {
      const tenant = await trx
        .selectFrom('tenants')
        .select(['id', 'email'])
        .where(sql<boolean>`lower(email) = ${wanted}`)
        .executeTakeFirst();
      const code = await putCode(trx, {
        ...codeUse(pending),
        email,
        tenantId: tenant?.id ?? null,
        expiresAt,
      });
      // Nobody's mail is written all the same, and taken back: the time that this takes tells nothing.
      await sql`savepoint mail`.execute(trx);
      const content = signInCodeLetter(code, accountUrl);
      await outbox.enqueue(trx, { ...content, to: tenant?.email ?? email, expiresAt });
      await (tenant ? sql`release savepoint mail` : sql`rollback to savepoint mail`).execute(trx);
    });
    return { outcome: 'asked' };
  },

  async askedFor(pending) {
    const row = await ofHolder(db, codeUse(pending))
      .select('email')
      .where('expires_at', '>', clock.now())
      .executeTakeFirst();
    return row?.email ?? null;
  },

  async signIn(pending, code, client, previous = null) {
    const retryAfterSeconds = await countAttempts(db, [
      { scope: 'try-from-address', subject: client.address },
    ]);
    if (retryAfterSeconds !== null) return { outcome: 'rate-limited', retryAfterSeconds };
    const answer = await db.transaction().execute(async (trx): Promise<SignInAnswer> => {
      await lockTenantOf(trx, pending);
      const now = clock.now();
      const taken = await takeCode(trx, codeUse(pending), code, now);
      if (taken.outcome !== 'right') return taken;
      const { email } = await trx
        .selectFrom('tenants')
        .select('email')
        .where('id', '=', taken.tenantId)
        .executeTakeFirstOrThrow();
      const token = await sessions.begin(trx, taken.tenantId, client);
      return { outcome: 'signed-in', token, email, expiresAt: sessionEnd(now) };
    });
    if (answer.outcome === 'signed-in' && previous !== null) await sessions.end(previous);
    return answer;
  },
});

/** Before the code's row, in the order of "sign out everywhere": neither waits for the other in a circle. */
const lockTenantOf = async (trx: Trx, pending: string): Promise<void> => {
  const row = await ofHolder(trx, codeUse(pending)).select('tenant_id').executeTakeFirst();
  await sql`select from tenants where id = ${row?.tenant_id ?? null} for no key update`.execute(trx);
};
