import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { ModsJob } from '#contracts/mods/mods.ts';
import type { ModsChanged } from '#contracts/servers/agent-mods.ts';
import type { TaskResult } from '#contracts/servers/agent-tasks.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { whoAsked } from '../../servers/agent-acts.ts';
import { noteDependencies } from '../plan/mod-dependencies.ts';
import { readModsChanged } from './agent-answers.ts';
import type { ModJobRow } from './job-rows.ts';

const unproven = reasons['mods-unproven'];

/** What a result means for the job; a claim without its proof means nothing. */
const jobEnd = ({
  outcome,
  detail,
  value,
}: TaskResult): Pick<ModsJob, 'detail' | 'result'> & { readonly state: ModsJob['state'] } => {
  const result = readModsChanged(value);
  if (outcome === 'cancelled') return { state: 'cancelled', detail, result };
  if (outcome === 'unknown') return { state: 'unknown', detail, result };
  if (outcome !== 'done') return { state: 'failed', detail, result };
  if (!result) return { state: 'unknown', detail: detail ?? unproven, result };
  const isNew = result.set === 'new' && !result.isRolledBack;
  return { state: isNew ? 'done' : 'failed', detail, result };
};

const tell = async (
  trx: Kysely<Tables>,
  row: ModJobRow,
  state: ModsJob['state'],
  result: ModsChanged | null,
) => {
  const { name } = await trx
    .selectFrom('game_servers')
    .select('name')
    .where('id', '=', row.server_id)
    .executeTakeFirstOrThrow();
  const of = { serverId: row.server_id };
  const by = row.actor_name;
  const detail = (row.detail ?? '').slice(0, 500);
  if (state === 'done') await recordEvent(trx, 'mods.changed', { name, by, count: row.lines.length }, of);
  else if (result?.isRolledBack) await recordEvent(trx, 'mods.rolled-back', { name, by, detail }, of);
  else if (state !== 'cancelled') await recordEvent(trx, 'mods.failed', { name, by, detail }, of);
};

/**
 * Ends a job by the result of its task, once, whichever process of the API comes first. One that ended as unknown accepts a
 * later result.
 * @returns whether this call ended it
 */
export const endJob = (
  db: Kysely<Tables>,
  { id, task_id: taskId }: Pick<ModJobRow, 'id' | 'task_id'>,
  ended: TaskResult,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { state, detail, result } = jobEnd(ended);
    const row = await trx
      .updateTable('mod_jobs')
      .set({
        state,
        outcome: ended.outcome,
        detail,
        waits_for: null,
        result: result && JSON.stringify(result),
        ended_at: sql<Date>`coalesce(ended_at, now())`,
      })
      .where('id', '=', id)
      .where('task_id', '=', taskId)
      .where((where) =>
        where.or([
          where('state', '=', 'running'),
          ...(ended.outcome === 'unknown'
            ? []
            : [where.and([where('state', '=', 'unknown'), where('outcome', '=', 'unknown')])]),
        ]),
      )
      .returningAll()
      .executeTakeFirst();
    if (!row) return false;
    await recordAudit(trx, {
      ...whoAsked(row),
      action: 'mods.ended',
      target: `server:${row.server_id}`,
      after: {
        job: id,
        kind: row.kind,
        state,
        outcome: ended.outcome,
        detail,
        ...(result && { set: result.set, isRolledBack: result.isRolledBack, health: result.health }),
      },
    });
    if (state === 'done') await noteDependencies(trx, row);
    await tell(trx, row, state, result);
    return true;
  });

/** Ends a job that was never sent to an agent. */
export const endWaitingJob = (
  db: Kysely<Tables>,
  id: string,
  outcome: 'expired' | 'refused',
  detail: string,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('mod_jobs')
      .set({ state: 'failed', outcome, detail, waits_for: null, ended_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .returningAll()
      .executeTakeFirst();
    if (!row) return;
    await recordAudit(trx, {
      ...whoAsked(row),
      action: 'mods.ended',
      target: `server:${row.server_id}`,
      after: { job: id, kind: row.kind, state: 'failed', outcome, detail },
    });
    await tell(trx, row, 'failed', null);
  });

/** Ends the jobs that a wave has not sent yet when it stops. */
export const withdrawJobs = async (trx: Kysely<Tables>, wave: string, detail: string): Promise<void> => {
  const rows = await trx
    .updateTable('mod_jobs')
    // Not cancelled by a person, and never sent to an agent: only this combines the two values.
    .set({ state: 'cancelled', outcome: 'refused', detail, waits_for: null, ended_at: sql<Date>`now()` })
    .where('wave', '=', wave)
    .where('state', '=', 'waiting')
    .returningAll()
    .execute();
  for (const row of rows)
    await recordAudit(trx, {
      ...whoAsked(row),
      action: 'mods.ended',
      target: `server:${row.server_id}`,
      after: { job: row.id, kind: row.kind, state: row.state, outcome: row.outcome, detail },
    });
};
