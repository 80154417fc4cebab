import { type Kysely, sql } from 'kysely';
import { stepUpMinutes } from '#contracts/account.ts';
import type { PasswordHasher } from '#runtime/password-hash.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import type { SecondFactor } from './second-factor.ts';
import type { StepUpTries } from './step-up-tries.ts';

export interface StepUpOptions {
  readonly db: Kysely<Tables>;
  readonly passwords: PasswordHasher;
  readonly secondFactor: SecondFactor;
  readonly tries: StepUpTries;
  readonly onFailed: (admin: string, address: string) => void;
}

/** One of the two. */
export interface StepUpProof {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}

/** Takes the own password or second factor once more. @returns until when the session may do what needs that */
export type StepUp = (shown: StepUpProof, by: AuditContext) => Promise<Date | Refusal>;

export const createStepUp =
  ({ db, passwords, secondFactor, tries, onFailed }: StepUpOptions): StepUp =>
  async ({ password, code = '' }, by) => {
    const { id, sessionId, name } = by.actor;
    if (sessionId === undefined) return refuse('FORBIDDEN');
    const kind = password === undefined ? 'code' : 'password';
    const retryAfterMs = tries.count(kind, sessionId);
    if (retryAfterMs > 0)
      return { refused: 'RATE_LIMITED', detail: 'Too many tries that failed.', retryAfterMs };
    const wrong = () => {
      onFailed(name, by.address);
      return refuse('WRONG_CREDENTIALS', kind === 'password' ? 'This is not your password.' : undefined);
    };
    const admin = await db
      .selectFrom('admins')
      .select(['password_hash', 'totp_confirmed_at'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (kind === 'code' && !admin?.totp_confirmed_at) {
      tries.giveBack(kind, sessionId);
      return refuse('TOTP_STATE', 'Two-step sign-in is not on: show your password.');
    }
    const passwordHash = admin?.password_hash ?? null;
    if (password !== undefined && !(await passwords.verify(passwordHash, password))) return wrong();
    const until = await db.transaction().execute(async (trx) => {
      // Changed or ended meanwhile, so it proves nothing.
      const stands = await trx
        .selectFrom('admins')
        .select('id')
        .where('id', '=', id)
        .where('password_hash', '=', passwordHash ?? '')
        .forUpdate()
        .executeTakeFirst();
      if (!stands) return null;
      const proof = password === undefined ? await secondFactor.spend(trx, id, code) : kind;
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
    tries.giveBack(kind, sessionId);
    return until;
  };
