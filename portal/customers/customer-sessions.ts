import { type Kysely, sql, type Transaction } from 'kysely';
import type { Language } from '#contracts/kernel/language.ts';
import {
  type CustomerSession,
  customerSessionIdleHours,
  customerSessionMaxDays,
} from '#contracts/portal/customers.ts';
import { newSecretToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import type { Clock } from '#runtime/clock.ts';
import { newId } from '../database/new-id.ts';
import type { CustomerSessionRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { keepCustomerLanguage } from '../licenses/customer-language.ts';

/** A signed-in customer. */
export interface Customer {
  readonly tenantId: string;
  readonly email: string;
  /** The language of their last visit; null: unknown. */
  readonly language: Language | null;
  readonly sessionId: string;
  /** The session's secret, to which codes and forms are bound. */
  readonly token: string;
}

/** The client that signs in. */
export interface SessionClient {
  readonly kind: CustomerSessionRow['kind'];
  readonly address: string;
  readonly userAgent: string;
}

export interface CustomerSessions {
  /** In the transaction that used up the code, which holds the tenant's row (see `endAll`). @returns the token, shown only once */
  begin(trx: Transaction<PortalTables>, tenantId: string, client: SessionClient): Promise<string>;
  /** The token's customer; null if there is no such session, or it has ended, or is of the other kind. */
  find(token: string, kind: CustomerSessionRow['kind']): Promise<Customer | null>;
  /** Records the customer's language, for mails. */
  noteLanguage(customer: Customer, language: Language): Promise<void>;
  list(customer: Customer): Promise<readonly CustomerSession[]>;
  end(token: string): Promise<void>;
  /** Also voids pending codes and known browsers, so that a code mailed earlier lets no one in. */
  endAll(tenantId: string): Promise<number>;
}

const hourMs = 3_600_000;
const maxAgeMs = customerSessionMaxDays * 24 * hourMs;
const idleMs = customerSessionIdleHours * hourMs;
/** A page that is requested often need not write each time. */
const noteUseMs = 60_000;
const maxUserAgent = 300;

export const sessionEnd = (createdAt: Date): Date => new Date(createdAt.getTime() + maxAgeMs);

/** Sessions from before these times have ended. */
export const sessionBounds = (now: Date): { createdAfter: Date; usedAfter: Date } => ({
  createdAfter: new Date(now.getTime() - maxAgeMs),
  usedAfter: new Date(now.getTime() - idleMs),
});

export const createCustomerSessions = (db: Kysely<PortalTables>, clock: Clock): CustomerSessions => {
  const living = () => {
    const { createdAfter, usedAfter } = sessionBounds(clock.now());
    return db
      .selectFrom('customer_sessions')
      .where('customer_sessions.created_at', '>', createdAfter)
      .where('customer_sessions.last_used_at', '>', usedAfter);
  };

  return {
    async begin(trx, tenantId, { kind, address, userAgent }) {
      const token = newSecretToken('cus');
      const now = clock.now();
      await trx
        .insertInto('customer_sessions')
        .values({
          id: newId(),
          token_hash: tokenDigest(token),
          tenant_id: tenantId,
          kind,
          created_at: now,
          last_used_at: now,
          address,
          user_agent: userAgent.slice(0, maxUserAgent),
        })
        .execute();
      return token;
    },

    async find(token, kind) {
      if (!token.startsWith('cus_')) return null;
      const row = await living()
        .innerJoin('tenants', 'tenants.id', 'customer_sessions.tenant_id')
        .select(['customer_sessions.id', 'tenant_id', 'tenants.email', 'tenants.language', 'last_used_at'])
        .where('token_hash', '=', tokenDigest(token))
        .where('kind', '=', kind)
        .executeTakeFirst();
      if (!row) return null;
      const now = clock.now();
      if (now.getTime() - row.last_used_at.getTime() > noteUseMs)
        await db
          .updateTable('customer_sessions')
          .set({ last_used_at: now })
          .where('id', '=', row.id)
          .execute();
      return {
        tenantId: row.tenant_id,
        email: row.email,
        language: row.language,
        sessionId: row.id,
        token,
      };
    },

    noteLanguage: ({ tenantId }, language) => keepCustomerLanguage(db, tenantId, language),

    async list({ tenantId, sessionId }) {
      const rows = await living()
        .selectAll()
        .where('tenant_id', '=', tenantId)
        .orderBy('last_used_at', 'desc')
        .orderBy('id')
        .limit(100)
        .execute();
      return rows.map((row) => viewSession(row, sessionId));
    },

    async end(token) {
      await db.deleteFrom('customer_sessions').where('token_hash', '=', tokenDigest(token)).execute();
    },

    endAll: (tenantId) =>
      db.transaction().execute(async (trx) => {
        // A sign-in at the same moment holds the row: either it is ended with the others, or its code is gone.
        await sql`select from tenants where id = ${tenantId} for no key update`.execute(trx);
        await trx.deleteFrom('customer_codes').where('tenant_id', '=', tenantId).execute();
        await trx.deleteFrom('customer_devices').where('tenant_id', '=', tenantId).execute();
        const { numDeletedRows } = await trx
          .deleteFrom('customer_sessions')
          .where('tenant_id', '=', tenantId)
          .executeTakeFirst();
        return Number(numDeletedRows);
      }),
  };
};

const viewSession = (row: CustomerSessionRow, currentId: string): CustomerSession => ({
  id: row.id,
  kind: row.kind,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at.toISOString(),
  address: row.address,
  userAgent: row.user_agent,
  current: row.id === currentId,
});
