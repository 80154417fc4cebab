import { createId } from '@paralleldrive/cuid2';
import type { Kysely } from 'kysely';
import type { Session } from '#contracts/identity/sessions.ts';
import { newSecretToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { sessionTokenPrefix } from './session-credential.ts';
import { sessionExpiry, sessionLives } from './session-life.ts';

export interface Client {
  readonly address: string;
  readonly userAgent: string;
}

/** More than anyone has browsers; scripts that never sign out lose their oldest session. */
const sessionsPerAdmin = 100;

/** Opens a session in the caller's transaction. @returns its id and its token, of which only a hash is stored */
export const openSession = async (
  trx: Kysely<Tables>,
  adminId: string,
  { address, userAgent }: Client,
): Promise<{ readonly id: string; readonly token: string }> => {
  const id = createId();
  const token = newSecretToken(sessionTokenPrefix);
  await trx
    .insertInto('sessions')
    .values({ id, token_hash: tokenDigest(token), admin_id: adminId, address, user_agent: userAgent })
    .execute();
  await forgetOld(trx, adminId);
  return { id, token };
};

const forgetOld = async (trx: Kysely<Tables>, adminId: string): Promise<void> => {
  const surplus = trx
    .selectFrom('sessions')
    .select('id')
    .where('admin_id', '=', adminId)
    .orderBy('last_used_at', 'desc')
    .offset(sessionsPerAdmin);
  await trx
    .deleteFrom('sessions')
    .where('admin_id', '=', adminId)
    .where((of) => of.or([of('id', 'in', surplus), of.not(sessionLives)]))
    .execute();
};

/** An admin's sessions, last used first. */
export const listSessions = async (
  db: Kysely<Tables>,
  adminId: string,
  currentId: string | undefined,
): Promise<Session[]> => {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .select(sessionExpiry.as('expires_at'))
    .where('admin_id', '=', adminId)
    .where(sessionLives)
    .orderBy('last_used_at', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    address: row.address,
    userAgent: row.user_agent,
    current: row.id === currentId,
  }));
};

interface SessionsToEnd {
  readonly adminId: string;
  /** Only this one; all when absent. */
  readonly only?: string;
  readonly except?: string;
}

/** Ends sessions in the caller's transaction. @returns how many */
export const endSessions = async (
  trx: Kysely<Tables>,
  { adminId, only, except }: SessionsToEnd,
): Promise<number> => {
  let ending = trx.deleteFrom('sessions').where('admin_id', '=', adminId);
  if (only !== undefined) ending = ending.where('id', '=', only);
  if (except !== undefined) ending = ending.where('id', '!=', except);
  return Number((await ending.executeTakeFirst()).numDeletedRows);
};

/** Ends sessions on explicit request. @returns how many */
export const endSessionsAudited = (
  db: Kysely<Tables>,
  what: SessionsToEnd,
  by: AuditContext,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const ended = await endSessions(trx, what);
    const target = what.only ? `session:${what.only}` : `admin:${what.adminId}`;
    if (ended > 0) await recordAudit(trx, { ...by, action: 'sessions.end', target, after: { ended } });
    return ended;
  });
