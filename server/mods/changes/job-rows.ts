import { type Kysely, type Selectable, sql } from 'kysely';
import type { ModsJob } from '#contracts/mods/mods.ts';
import type { ModsList } from '#contracts/servers/agent-mods.ts';
import type { TaskProgress } from '#contracts/servers/agent-tasks.ts';
import type { Tables } from '../../kernel/database/tables.ts';

export type ModJobRow = Selectable<Tables['mod_jobs']>;

/** The set from before the job can be restored: nothing has changed since. */
export const isUndoable = (
  row: Pick<ModJobRow, 'state' | 'result'> & { readonly has_inverse: boolean },
  revision: ModsList['revision'] | null,
): boolean =>
  row.state === 'done' &&
  row.has_inverse &&
  row.result?.set === 'new' &&
  revision !== null &&
  row.result.revision === revision;

/** What people see of a job. The sets beside it, which only its agent needs, are hundreds of kilobytes. */
export type ShownJobRow = Omit<ModJobRow, 'request' | 'change' | 'inverse' | 'proves' | 'job_state'> & {
  readonly has_inverse: boolean;
};

export const shownColumns = [
  'id',
  'number',
  'server_id',
  'kind',
  'lines',
  'wave',
  'actor',
  'actor_name',
  'address',
  'idempotency_key',
  'state',
  'waits_for',
  'task_id',
  'tries',
  'requested_at',
  'began_at',
  'ended_at',
  'is_cancelled',
  'outcome',
  'detail',
  'result',
] as const satisfies readonly (keyof ModJobRow)[];

export const asShown = ({ inverse, ...row }: ModJobRow): ShownJobRow => ({
  ...row,
  has_inverse: inverse !== null,
});

export const shownJob = (
  row: ShownJobRow,
  more: {
    readonly serverName: string;
    readonly progress: TaskProgress | null;
    readonly revision: number | null;
    readonly seesLines: boolean;
  },
): ModsJob => ({
  id: row.id,
  serverId: row.server_id,
  serverName: more.serverName,
  lines: row.lines,
  byName: row.actor_name,
  state: row.state,
  waitsFor: row.waits_for,
  requestedAt: row.requested_at.toISOString(),
  beganAt: row.began_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
  progress: row.state === 'running' ? more.progress : null,
  isCancelled: row.is_cancelled,
  outcome: row.outcome,
  detail: row.detail,
  result: row.result && { ...row.result, lines: more.seesLines ? row.result.lines : [] },
  canUndo: isUndoable(row, more.revision),
  wave: row.wave,
});

/** Deletes jobs that ended before the retention. @returns how many */
export const deleteOldModJobs = async (db: Kysely<Tables>, retentionDays: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('mod_jobs')
    .where('ended_at', '<', sql<Date>`castellan_proven_now() - make_interval(days => ${retentionDays})`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};
