import type { Kysely } from 'kysely';
import type { AuditContext } from '../kernel/access/audit-context.ts';
import { recordAudit } from '../kernel/audit/record-audit.ts';
import type { Tables } from '../kernel/database/tables.ts';
import type { ModJobRow } from './job-rows.ts';

/** A waiting job ends immediately; for a running one the agent is told. @returns null: it has already ended */
export const markCancelled = (
  db: Kysely<Tables>,
  { id }: Pick<ModJobRow, 'id'>,
  by: AuditContext,
): Promise<ModJobRow | null> =>
  db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('mod_jobs')
      .selectAll()
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!row || row.is_cancelled) return row ?? null;
    const changed = await trx
      .updateTable('mod_jobs')
      .set({
        is_cancelled: true,
        ...(row.state === 'waiting' && {
          state: 'cancelled' as const,
          outcome: 'cancelled' as const,
          waits_for: null,
          ended_at: new Date(),
        }),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(trx, {
      ...by,
      action: 'mods.cancelled',
      target: `server:${row.server_id}`,
      after: { job: id, state: changed.state },
    });
    return changed;
  });
