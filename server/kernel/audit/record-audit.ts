import type { Kysely } from 'kysely';
import type { AuditAction } from '#contracts/kernel/audit-actions.ts';
import { type Actor, actorReference } from '../access/actor.ts';
import type { Tables } from '../database/tables.ts';

export interface AuditEntry {
  readonly actor: Actor;
  /** Where the request came from. */
  readonly address: string;
  /** What was done, such as `admins.create`. */
  readonly action: AuditAction;
  /** What it was done to, such as `admin:<id>`. */
  readonly target: string | null;
  /** What changed; the caller has masked sensitive values, because only it knows which they are. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Writes the row of an admin action. Call it in the transaction that makes the change. */
export const recordAudit = async (
  trx: Kysely<Tables>,
  { actor, address, action, target, before, after }: AuditEntry,
): Promise<void> => {
  await trx
    .insertInto('audit_logs')
    .values({
      actor: actorReference(actor),
      actor_name: actor.name,
      action,
      target,
      address,
      before: jsonOrNull(before),
      after: jsonOrNull(after),
    })
    .execute();
};

const jsonOrNull = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);
