import type { Request } from 'express';
import { type Kysely, sql } from 'kysely';
import { isSameOrigin, type ReadPublicAddress } from '#runtime/auth/same-origin.ts';
import { tokenDigest } from '#runtime/auth/secret-token.ts';
import { Problem } from '#runtime/problem.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Authenticate } from '../../kernel/access/authorize.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { adminActor, enabledAdmins } from '../admins-with-grants.ts';
import { readCookie } from './session-cookies.ts';
import { sessionLives, steppedUpLately } from './session-life.ts';

/** The prefix of session tokens; anything without it is not looked up. */
export const sessionTokenPrefix = 'cse';

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Accepts a session token, as bearer or by cookie. Browsers attach a cookie no matter which site causes the request, so a
 * request with a cookie that does more than read must prove that it comes from one of our own pages, and be declared as JSON
 * or bytes, which no form of another site can do.
 */
export const authenticateSession =
  (db: Kysely<Tables>, publicAddress: ReadPublicAddress): Authenticate =>
  async ({ bearer, request }) => {
    const token = bearer ?? readCookie(request, 'session');
    if (!token?.startsWith(`${sessionTokenPrefix}_`)) return null;
    if (bearer === null) await demandOwnPage(request, publicAddress);
    const row = await liveSessions(db)
      .where('sessions.token_hash', '=', tokenDigest(token))
      .executeTakeFirst();
    if (!row) return null;
    if (row.isUseDue) await noteUse(db, row.sessionId, request.ip ?? '');
    return adminActor(row, row.sessionId, row.steppedUp);
  };

const demandOwnPage = async (request: Request, publicAddress: ReadPublicAddress) => {
  if (safeMethods.includes(request.method)) return;
  if (!isSameOrigin(request) && !isSameOrigin(request, await publicAddress()))
    throw new Problem('CROSS_ORIGIN');
  // No form of another site can send either; parts of a file are sent as bytes.
  if (!/^application\/(?:json|octet-stream)(?:\s*;|$)/i.test(request.get('Content-Type') ?? ''))
    throw new Problem('CROSS_ORIGIN', {
      detail: 'Send Content-Type: application/json, with or without a body.',
    });
};

const liveSessions = (db: Kysely<Tables>) =>
  db
    .selectFrom('sessions')
    .innerJoin(enabledAdmins(db).as('admin'), 'admin.id', 'sessions.admin_id')
    .where(sessionLives)
    .selectAll('admin')
    .select([
      'sessions.id as sessionId',
      sql<boolean>`sessions.last_used_at < now() - interval '1 minute'`.as('isUseDue'),
      steppedUpLately.as('steppedUp'),
    ]);

/** At most once a minute: a panel that polls often must not write as often. */
const noteUse = async (db: Kysely<Tables>, id: string, address: string): Promise<void> => {
  await db.updateTable('sessions').set({ last_used_at: sql`now()`, address }).where('id', '=', id).execute();
};

/** A session's admin with current permissions; null when it has ended. */
export const actorOfSession = async (db: Kysely<Tables>, sessionId: string): Promise<Actor | null> => {
  const row = await liveSessions(db).where('sessions.id', '=', sessionId).executeTakeFirst();
  return row ? adminActor(row, row.sessionId, row.steppedUp) : null;
};
