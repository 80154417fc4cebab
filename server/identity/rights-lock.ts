import { type Kysely, sql } from 'kysely';
import type { Actor } from '../kernel/access/actor.ts';
import type { AuditContext } from '../kernel/access/audit-context.ts';
import type { Tables } from '../kernel/database/tables.ts';
import { type Refusal, refuse } from '../kernel/http/refusal.ts';
import { actorOfApiKey } from './api-keys/api-key-credential.ts';
import { refreshDesktop } from './desktop-credential.ts';
import { actorOfSession } from './sessions/session-credential.ts';

/** An arbitrary number that nothing else in this database locks. */
const rightsLock = 7_214_301;

/**
 * Changes who may do what, one change at a time: what a change reads (who is the last owner, who holds a role) stays true
 * until it is done. A refusal leaves everything unchanged, so rules refuse before they write.
 */
export const underRightsLock = <Result>(
  db: Kysely<Tables>,
  change: (trx: Kysely<Tables>) => Promise<Result | Refusal>,
): Promise<Result | Refusal> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${rightsLock})`.execute(trx);
    return change(trx);
  });

/** The actor with current permissions; null when the session, key or desktop access has ended. */
export const renewActor = async (db: Kysely<Tables>, actor: Actor): Promise<Actor | null> => {
  if (actor.kind === 'admin' && actor.sessionId !== undefined) return actorOfSession(db, actor.sessionId);
  if (actor.kind === 'api-key') return actorOfApiKey(db, actor.id);
  return actor.kind === 'desktop' ? refreshDesktop(db, actor) : actor;
};

/**
 * The caller was identified before the body arrived, which takes as long as the sender likes. So the actor is read again
 * under the lock, where an ended session or revoked credential gives no permissions any more.
 * @param change gets the actor as read under the lock
 */
export const changeRights = <Result>(
  db: Kysely<Tables>,
  { actor, address }: AuditContext,
  change: (trx: Kysely<Tables>, by: AuditContext) => Promise<Result | Refusal>,
): Promise<Result | Refusal> =>
  underRightsLock(db, async (trx) => {
    const renewed = await renewActor(trx, actor);
    return renewed ? change(trx, { actor: renewed, address }) : refuse('UNAUTHENTICATED');
  });
