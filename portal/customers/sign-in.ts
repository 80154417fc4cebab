import { type Kysely, sql, type Transaction } from 'kysely';
import type { Language } from '#contracts/kernel/language.ts';
import { signInCodeMinutes } from '#contracts/portal/customers.ts';
import { newSecretToken } from '#runtime/auth/secret-token.ts';
import type { Clock } from '#runtime/clock.ts';
import type { PortalTables } from '../database/tables.ts';
import type { LicenseKeyVault } from '../licenses/license-key-vault.ts';
import type { MailContent, Outbox } from '../mail/outbox.ts';
import { countAttempts } from './attempt-limits.ts';
import {
  type CodeUse,
  ofHolder,
  putCode,
  putRequest,
  putSharedCode,
  type TakenCode,
  takeCode,
} from './customer-codes.ts';
import { isKnownDevice, rememberDevice } from './customer-devices.ts';
import { sharedCodeLetter, signInCodeLetter } from './customer-letters.ts';
import { type CustomerSessions, type SessionClient, sessionEnd } from './customer-sessions.ts';

type Trx = Transaction<PortalTables>;

export interface RateLimited {
  readonly outcome: 'rate-limited';
  readonly retryAfterSeconds: number;
}

export type CodeRequest = { readonly outcome: 'asked' } | RateLimited;

/** The client that asks for a code. */
interface Asker {
  readonly address: string;
  /** The secret that the browser got at its last sign-in. */
  readonly device?: string | null;
  /** The reader's language; null: unknown, so that the language of the last visit counts. */
  readonly language?: Language | null;
}

/** A pending code. */
export interface AskedCode {
  readonly email: string;
  /** Whether the mailbox has a code that works in every client that asked for one. */
  readonly isShared: boolean;
}

type SignInAnswer =
  | {
      readonly outcome: 'signed-in';
      readonly token: string;
      readonly email: string;
      readonly expiresAt: Date;
      /** Makes the browser a known one; null for a program. */
      readonly device: string | null;
    }
  | Exclude<TakenCode, { outcome: 'right' }>;

export interface SignIn {
  /** A secret for a browser or program that is about to ask for a code. */
  newPending(): string;
  /** Mails a code that is valid for the holder of `pending`. Neither the answer nor the work reveals whether the customer exists. */
  requestCode(email: string, pending: string, asker: Asker): Promise<CodeRequest>;
  /** What the last code was requested for; null if none is pending. */
  askedFor(pending: string): Promise<AskedCode | null>;
  /** @param previous what the browser still has: the token of a session that ends with this sign-in, and its device secret */
  signIn(
    pending: string,
    code: string,
    client: SessionClient,
    previous?: { readonly token: string | null; readonly device: string | null },
  ): Promise<SignInAnswer>;
}

const codeUse = (pending: string): CodeUse => ({ holder: pending, purpose: 'sign-in', licenseId: null });

export const createSignIn = (options: {
  readonly db: Kysely<PortalTables>;
  readonly vault: Pick<LicenseKeyVault, 'hash'>;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly sessions: CustomerSessions;
  readonly accountUrl: string | null;
}): SignIn => {
  const { db, vault, clock, outbox, sessions, accountUrl } = options;
  /** A holder's secret that is in no database, and the same in every process. @param email in lower case */
  const sharedUse = (email: string): CodeUse =>
    codeUse(vault.hash(JSON.stringify(['sign-in mailbox', email])).toString('base64url'));

  return {
    newPending: () => newSecretToken('pend'),

    async requestCode(email, pending, { address, device = null, ...asker }) {
      const wanted = email.toLowerCase();
      const now = clock.now();
      const isKnown = device !== null && (await isKnownDevice(db, device, wanted, now));
      const retryAfterSeconds = await countAttempts(
        db,
        isKnown
          ? [{ scope: 'code-for-device', subject: device }]
          : [
              { scope: 'code-from-address', subject: address },
              { scope: 'code-for-email-from-address', subject: JSON.stringify([wanted, address]) },
            ],
      );
      if (retryAfterSeconds !== null) return { outcome: 'rate-limited', retryAfterSeconds };
      const isShared =
        !isKnown && (await countAttempts(db, [{ scope: 'code-for-email', subject: wanted }])) !== null;
      const expiresAt = new Date(now.getTime() + signInCodeMinutes * 60_000);
      await db.transaction().execute(async (trx) => {
        const tenant = await trx
          .selectFrom('tenants')
          .select(['id', 'email', 'language'])
          .where(sql<boolean>`lower(email) = ${wanted}`)
          .executeTakeFirst();
        const request = { ...codeUse(pending), email, tenantId: tenant?.id ?? null, expiresAt };
        const language = asker.language ?? tenant?.language ?? null;
        let content: MailContent;
        if (isShared) {
          await lockTenant(trx, request.tenantId);
          await putRequest(trx, request);
          const code = await putSharedCode(trx, { ...request, ...sharedUse(wanted) }, now);
          if (code === null) return;
          content = sharedCodeLetter({ code, language, accountUrl });
        } else content = signInCodeLetter({ code: await putCode(trx, request), language, accountUrl });
        // For an unknown address the mail is written, too, and rolled back, so that the time reveals nothing.
        await sql`savepoint mail`.execute(trx);
        await outbox.enqueue(trx, { ...content, to: tenant?.email ?? email, expiresAt });
        await (tenant ? sql`release savepoint mail` : sql`rollback to savepoint mail`).execute(trx);
      });
      return { outcome: 'asked' };
    },

    async askedFor(pending) {
      const inForce = (use: CodeUse) =>
        ofHolder(db, use).select('email').where('expires_at', '>', clock.now()).executeTakeFirst();
      const row = await inForce(codeUse(pending));
      if (!row) return null;
      const shared = await inForce(sharedUse(row.email.toLowerCase()));
      return { email: row.email, isShared: shared !== undefined };
    },

    async signIn(pending, code, client, previous) {
      const answer = await db.transaction().execute(async (trx): Promise<SignInAnswer> => {
        const use = codeUse(pending);
        const asked = await ofHolder(trx, use).select(['tenant_id', 'email']).executeTakeFirst();
        await lockTenant(trx, asked?.tenant_id ?? null);
        const now = clock.now();
        const taken = await takeCode(trx, use, code, now, sharedUse(asked?.email.toLowerCase() ?? ''));
        if (taken.outcome !== 'right') return taken;
        const { tenantId } = taken;
        const { email } = await trx
          .selectFrom('tenants')
          .select('email')
          .where('id', '=', tenantId)
          .executeTakeFirstOrThrow();
        const token = await sessions.begin(trx, tenantId, client);
        // A program would throw its device secret away, and it would displace a browser's.
        const device =
          client.kind === 'browser'
            ? await rememberDevice(trx, tenantId, previous?.device ?? null, now)
            : null;
        return { outcome: 'signed-in', token, email, expiresAt: sessionEnd(now), device };
      });
      if (answer.outcome === 'signed-in' && previous?.token) await sessions.end(previous.token);
      return answer;
    },
  };
};

/** Locked before a code's row, in the order of "sign out everywhere", so that no deadlock is possible. */
const lockTenant = async (trx: Trx, tenantId: string | null): Promise<void> => {
  await sql`select from tenants where id = ${tenantId} for no key update`.execute(trx);
};
