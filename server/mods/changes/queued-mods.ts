import { type Kysely, sql } from 'kysely';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { refuseWithoutStepUp } from '../../kernel/access/step-up.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { modsQueue } from '../../kernel/queues/queues.ts';
import type { ModJobRow } from './job-rows.ts';
import type { ModChanges } from './mod-changes.ts';
import { lacks } from './mods-permission.ts';

/** Retrying means beginning it again, which requires a person with a fresh step-up. */
const refuseRetry = ({ wave }: ModJobRow, { actor }: AuditContext): Refusal | null => {
  if (wave !== null) return refuse('JOB_STATE', 'The job belongs to a wave; begin a new one.');
  return refuseWithoutStepUp(actor);
};

/** What the queues page does to changes of mods: only to jobs that no agent has now and whose result is known. */
export const createQueuedMods = (db: Kysely<Tables>, { look }: Pick<ModChanges, 'look'>) => {
  const change = async (
    id: string,
    by: AuditContext,
    action: 'retry' | 'cancel',
    apply: (trx: Kysely<Tables>, row: ModJobRow) => Promise<unknown>,
  ): Promise<Refusal | null> => {
    const refusal = await db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('mod_jobs')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (!row) return refuse('NOT_FOUND');
      const refused =
        lacks(by.actor, 'mods.write', row.server_id) ?? (action === 'retry' ? refuseRetry(row, by) : null);
      if (refused) return refused;
      if (row.state !== 'waiting' && row.state !== 'failed')
        return refuse('JOB_STATE', `The job is ${row.state}.`);
      await apply(trx, row);
      await recordAudit(trx, { ...by, action: `queues.${action}`, target: `job:${modsQueue}:${id}` });
      return null;
    });
    look();
    return refusal;
  };
  return {
    /** The agent refuses a plan made for a set other than the current one. */
    retry: (id: string, by: AuditContext) =>
      change(id, by, 'retry', async (trx, { state }) => {
        if (state === 'waiting') return;
        await trx
          .updateTable('mod_jobs')
          .set({
            state: 'waiting',
            task_id: null,
            outcome: null,
            detail: null,
            result: null,
            is_cancelled: false,
            requested_at: sql<Date>`now()`,
            ended_at: null,
          })
          .where('id', '=', id)
          .execute();
      }),
    cancel: (id: string, by: AuditContext) =>
      change(id, by, 'cancel', (trx) =>
        sql`select castellan_cancel_mod_job(${id}::uuid, ${`Cancelled by ${by.actor.name}.`})`.execute(trx),
      ),
  };
};
