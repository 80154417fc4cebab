import { sql } from 'kysely';
import { stepUpMinutes } from '#contracts/identity/account.ts';
import { createThrottle } from '#runtime/throttle/throttle.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { IdentityContext } from '../identity-context.ts';
import { spendSecondFactor } from './second-factor.ts';

/** One of the two. */
interface StepUpProof {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}

/** Asks for the admin's own password or second factor once more. @returns until when the session may do what needs that */
export type StepUp = (shown: StepUpProof, by: AuditContext) => Promise<Date | Refusal>;

/** The same as for signing in from a known device; six digits are few, so the budget for codes refills slowly. */
const limits = {
  password: { capacity: 5, refillMs: 30_000 },
  code: { capacity: 5, refillMs: 600_000 },
} as const;

export const createStepUp = (
  context: Pick<IdentityContext, 'db' | 'passwords' | 'secrets' | 'events' | 'now'>,
): StepUp => {
  const { db, passwords, events, now } = context;
  /** Each session has its own budget: guesses in a stolen one leave the owner's other sessions open. */
  const throttle = createThrottle(limits, now);
  return async ({ password, code = '' }, by) => {
    const { id, sessionId, name } = by.actor;
    if (sessionId === undefined) return refuse('FORBIDDEN');
    const kind = password === undefined ? 'code' : 'password';
    const tries = [{ scope: kind, subject: sessionId }] as const;
    const retryAfterMs = throttle.take(tries);
    if (retryAfterMs > 0)
      return { refused: 'RATE_LIMITED', detail: 'Too many tries that failed.', retryAfterMs };
    const wrong = () => {
      events.record('login.failed', { name, address: by.address });
      return refuse('WRONG_CREDENTIALS', kind === 'password' ? 'This is not your password.' : undefined);
    };
    const admin = await db
      .selectFrom('admins')
      .select(['password_hash', 'totp_confirmed_at'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (kind === 'code' && !admin?.totp_confirmed_at) {
      throttle.giveBack(tries);
      return refuse('TOTP_STATE', 'Two-step sign-in is not on: show your password.');
    }
    const passwordHash = admin?.password_hash ?? null;
    if (password !== undefined && !(await passwords.verify(passwordHash, password))) return wrong();
    const until = await db.transaction().execute(async (trx) => {
      // It was changed or ended in between, so it proves nothing.
      const stands = await trx
        .selectFrom('admins')
        .select('id')
        .where('id', '=', id)
        .where('password_hash', '=', passwordHash ?? '')
        .forUpdate()
        .executeTakeFirst();
      if (!stands) return null;
      const proof = password === undefined ? await spendSecondFactor(trx, context, id, code) : kind;
      if (proof === null) return null;
      const session = await trx
        .updateTable('sessions')
        .set({ stepped_up_at: sql<Date>`now()` })
        .where('id', '=', sessionId)
        .returning(sql<Date>`stepped_up_at + make_interval(mins => ${stepUpMinutes})`.as('until'))
        .executeTakeFirst();
      if (!session) return null;
      const target = `session:${sessionId}`;
      await recordAudit(trx, { ...by, action: 'account.step-up', target, after: { by: proof } });
      return session.until;
    });
    if (until === null) return wrong();
    throttle.giveBack(tries);
    return until;
  };
};
