import { type Kysely, sql, type Transaction } from 'kysely';
import { newSecretToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import { newTotpSecret } from '#runtime/auth/totp.ts';
import type { Clock } from '#runtime/clock.ts';
import { isAhead } from '#runtime/is-ahead.ts';
import type { SecretBox } from '#runtime/secret-box.ts';
import { newId } from '../../database/new-id.ts';
import type { AccountRow, SessionRow } from '../../database/rows.ts';
import type { PortalTables } from '../../database/tables.ts';
import { sessionTotpColumn } from './second-factor.ts';

type Trx = Transaction<PortalTables>;

/** A person who has given a password and, at the stage `full`, a code. */
export interface Vendor {
  readonly accountId: string;
  readonly name: string;
  readonly sessionId: string;
  readonly stage: SessionRow['stage'];
  /** The time zone for days and dates on their pages. */
  readonly timeZone: string;
  /** The session's secret, to which forms are bound. */
  readonly token: string;
}

/** The client that signs in. */
export interface VendorClient {
  readonly address: string;
  readonly userAgent: string;
  /** The secret of a browser that has signed in before; null if it has none. */
  readonly device: string | null;
}

export interface VendorSessions {
  /** In the transaction that lets them in. @returns the token, shown only once */
  begin(trx: Trx, accountId: string, stage: SessionRow['stage'], client: VendorClient): Promise<string>;
  /** Null if there is no such session, it has ended, or its account is disabled. */
  find(token: string): Promise<Vendor | null>;
  /** The session with its account, both locked: the account first, in the same order as disabling does. */
  lock(trx: Trx, token: string): Promise<{ session: SessionRow; account: AccountRow } | null>;
  end(token: string): Promise<void>;
  /** @param except the token of the session that stays */
  endAll(trx: Trx, accountId: string, except?: string): Promise<void>;
  forgetOld(): Promise<void>;
}

const minuteMs = 60_000;
/** Since its beginning, and since its last use. */
const lifeMs = {
  full: { total: 12 * 60 * minuteMs, idle: 60 * minuteMs },
  code: { total: 10 * minuteMs, idle: 10 * minuteMs },
  enrol: { total: 30 * minuteMs, idle: 30 * minuteMs },
} as const satisfies Record<SessionRow['stage'], { total: number; idle: number }>;
const triesPerSession = 5;
const maxUserAgent = 300;

const isAlive = (session: SessionRow, now: Date): boolean => {
  const { total, idle } = lifeMs[session.stage];
  const at = now.getTime();
  return (
    session.tries_left > 0 &&
    // It began while the clock was ahead: it would last until then.
    !isAhead(session.created_at.getTime(), at) &&
    at < session.created_at.getTime() + total &&
    at < session.last_used_at.getTime() + idle
  );
};

export const createVendorSessions = (
  db: Kysely<PortalTables>,
  box: SecretBox,
  clock: Clock,
): VendorSessions => {
  const read = (from: Kysely<PortalTables>, token: string) =>
    from.selectFrom('vendor_sessions').selectAll().where('token_hash', '=', tokenDigest(token));

  return {
    async begin(trx, accountId, stage, { address, userAgent }) {
      const token = newSecretToken('ven');
      const id = newId();
      const now = clock.now();
      await trx
        .insertInto('vendor_sessions')
        .values({
          id,
          token_hash: tokenDigest(token),
          account_id: accountId,
          stage,
          totp_sealed:
            stage === 'enrol' ? box.seal(newTotpSecret().reveal(), sessionTotpColumn.placeOf(id)) : null,
          tries_left: triesPerSession,
          created_at: now,
          last_used_at: now,
          address,
          user_agent: userAgent.slice(0, maxUserAgent),
        })
        .execute();
      return token;
    },

    async find(token) {
      const session = await read(db, token).executeTakeFirst();
      const now = clock.now();
      if (!session || !isAlive(session, now)) return null;
      const account = await db
        .selectFrom('vendor_accounts')
        .select(['name', 'time_zone'])
        .where('id', '=', session.account_id)
        .where('disabled_at', 'is', null)
        .executeTakeFirst();
      if (!account) return null;
      if (now.getTime() - session.last_used_at.getTime() > minuteMs)
        await db
          .updateTable('vendor_sessions')
          .set({ last_used_at: now })
          .where('id', '=', session.id)
          .execute();
      const { account_id: accountId, id: sessionId, stage } = session;
      return { accountId, name: account.name, sessionId, stage, timeZone: account.time_zone ?? 'UTC', token };
    },

    async lock(trx, token) {
      const known = await read(trx, token).executeTakeFirst();
      if (!known) return null;
      const account = await trx
        .selectFrom('vendor_accounts')
        .selectAll()
        .where('id', '=', known.account_id)
        .forUpdate()
        .executeTakeFirst();
      const session = await read(trx, token).forUpdate().executeTakeFirst();
      if (!session || !account || account.disabled_at !== null || !isAlive(session, clock.now())) return null;
      return { session, account };
    },

    async end(token) {
      await db.deleteFrom('vendor_sessions').where('token_hash', '=', tokenDigest(token)).execute();
    },

    async endAll(trx, accountId, except) {
      let ended = trx.deleteFrom('vendor_sessions').where('account_id', '=', accountId);
      if (except) ended = ended.where('token_hash', '<>', tokenDigest(except));
      await ended.execute();
    },

    async forgetOld() {
      await sql`delete from vendor_sessions where created_at <= ${new Date(clock.now().getTime() - lifeMs.full.total)}`.execute(
        db,
      );
    },
  };
};
