import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { ModsJob } from '#contracts/mods/mods.ts';
import type { TaskResult } from '#contracts/servers/agent-tasks.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { stillMay } from '../../identity/still-may.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isTaken } from '../../kernel/database/unique-violation.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { modsQueue } from '../../kernel/queues/queues.ts';
import { whoAsked } from '../../servers/agent-acts.ts';
import type { AgentTasks } from '../../servers/agent-tasks.ts';
import { endJob, endWaitingJob } from './end-job.ts';
import type { ModJobRow } from './job-rows.ts';
import type { KeptMods } from './kept-mods.ts';

const lookEveryMs = 1000;
/** A task that the agent has not begun in time goes back to waiting. */
const taskExpiresInMs = 60_000;
const longestWaitHours = 24;
const lost: TaskResult = { outcome: 'unknown', detail: reasons['mods-lost'], value: null };

interface EndedTask extends Pick<ModJobRow, 'id' | 'server_id' | 'state' | 'task_id' | 'is_cancelled'> {
  readonly result: TaskResult | null;
  readonly was_sent: boolean;
}

/** Advances jobs: everything about a job is in its row, so any process can do this at any time. */
export const createJobRunner = ({
  db,
  tasks,
  lists,
  pauses,
  licenseHolds,
  onChange,
  log,
}: Pick<Kernel, 'db' | 'pauses' | 'licenseHolds' | 'log'> & {
  readonly tasks: AgentTasks;
  readonly lists: KeptMods;
  /** A job of this server has changed. */
  readonly onChange: (serverId: string) => void;
}) => {
  /** Open jobs as last seen. */
  let seen = new Map<string, { readonly serverId: string; readonly state: string }>();
  let isPrepared = false;
  let isAskedAgain = false;

  const readEnded = async (): Promise<readonly EndedTask[]> => {
    const { rows } = await sql<EndedTask>`
      select job.id, job.server_id, job.state, job.task_id, job.is_cancelled, task.result,
             task.id is null or task.sent_at is not null as was_sent
        from mod_jobs job left join agent_tasks task on task.id = job.task_id
       where (job.state = 'running' and (task.id is null or task.done_at is not null))
          or (job.state = 'unknown' and job.outcome = 'unknown' and job.ended_at > now() - interval '1 day'
              and task.done_at is not null and task.result ->> 'outcome' <> 'unknown')`.execute(db);
    return rows;
  };
  /** A task that no agent got was not done: the job waits again, for another task. */
  const putBack = async ({ id, task_id: taskId }: EndedTask) => {
    await db
      .updateTable('mod_jobs')
      .set({ state: 'waiting', waits_for: 'agent', task_id: null })
      .where('id', '=', id)
      .where('state', '=', 'running')
      .where('task_id', '=', taskId)
      // Cancelled in between: the next check ends it.
      .where('is_cancelled', '=', false)
      .execute();
  };
  const settle = async (ended: EndedTask) => {
    const result = ended.result ?? lost;
    const isUnbegun = !ended.was_sent && result.outcome === 'expired';
    if (isUnbegun && !ended.is_cancelled) return putBack(ended);
    const final: TaskResult = isUnbegun ? { outcome: 'cancelled', detail: null, value: null } : result;
    if (!(await endJob(db, ended, final))) return;
    lists.changed(ended.server_id);
    onChange(ended.server_id);
  };
  /** The process that recorded the cancellation may have died before it told the agent. */
  const cancelAgain = async () => {
    const { rows } = await sql<Pick<ModJobRow, 'server_id'> & { readonly task_id: string }>`
      select job.server_id, job.task_id from mod_jobs job join agent_tasks task on task.id = job.task_id
       where job.state = 'running' and job.is_cancelled and task.cancel_at is null and task.done_at is null`.execute(
      db,
    );
    for (const { server_id, task_id } of rows)
      await attempt(
        tasks.cancel(server_id, task_id).then(() => undefined),
        server_id,
      );
  };

  const send = async (id: string): Promise<void> => {
    try {
      await db.transaction().execute((trx) => sendIn(trx, id));
    } catch (error) {
      // Another process has just sent another one.
      if (!isTaken(error, 'mod_jobs_running')) throw error;
    }
  };
  const sendIn = async (trx: Kysely<Tables>, id: string): Promise<void> => {
    const row = await trx
      .selectFrom('mod_jobs')
      .selectAll()
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!row) return;
    const taskId = row.tries === 0 ? row.id : randomUUID();
    await trx
      .updateTable('mod_jobs')
      .set({
        state: 'running',
        waits_for: null,
        task_id: taskId,
        tries: row.tries + 1,
        began_at: sql<Date>`coalesce(began_at, now())`,
      })
      .where('id', '=', id)
      .execute();
    await tasks.start(
      trx,
      row.server_id,
      { kind: 'change-mods', change: row.change },
      { id: taskId, by: whoAsked(row).actor, expiresInMs: taskExpiresInMs },
    );
  };
  /** It may have waited for hours, in which its person can lose the right. */
  const sendOrRefuse = async (job: Pick<ModJobRow, 'id' | 'actor' | 'actor_name' | 'server_id'>) => {
    const { id, actor, actor_name: name, server_id: serverId } = job;
    if (await stillMay(db, actor, 'mods.write', serverId)) return send(id);
    return endWaitingJob(db, id, 'refused', reasons['mods-right-lost'](name ?? actor));
  };
  const wait = async (row: Pick<ModJobRow, 'id' | 'waits_for'>, waitsFor: ModsJob['waitsFor']) => {
    if (row.waits_for === waitsFor) return;
    await db
      .updateTable('mod_jobs')
      .set({ waits_for: waitsFor })
      .where('id', '=', row.id)
      .where('state', '=', 'waiting')
      .execute();
  };
  const readOpen = () =>
    db
      .selectFrom('mod_jobs as job')
      .innerJoin('game_servers as server', 'server.id', 'job.server_id')
      .select(['job.id', 'job.server_id', 'job.state', 'job.waits_for', 'job.is_cancelled'])
      .select(['job.actor', 'job.actor_name'])
      .select(sql<boolean>`server.archived_at is not null`.as('isArchived'))
      .select(
        sql<boolean>`job.requested_at < now() - castellan_unproven_time(job.requested_at) - make_interval(hours => ${longestWaitHours})`.as(
          'isTooOld',
        ),
      )
      .where('job.state', 'in', ['waiting', 'running'])
      .orderBy('job.number')
      .execute();
  const sendWaiting = async () => {
    const open = await readOpen();
    const busy = new Set(open.filter(({ state }) => state === 'running').map((job) => job.server_id));
    for (const job of open) {
      if (job.state !== 'waiting') continue;
      const { id, server_id: serverId } = job;
      if (job.isArchived) await attempt(endWaitingJob(db, id, 'refused', reasons['mods-archived']), serverId);
      else if (job.isTooOld)
        await attempt(
          endWaitingJob(db, id, 'expired', reasons['mods-not-begun'](longestWaitHours)),
          serverId,
        );
      else {
        const waitsFor = !licenseHolds()
          ? 'license'
          : pauses.isPaused(modsQueue)
            ? 'queue'
            : busy.has(serverId)
              ? 'job'
              : tasks.machineOf(serverId).takesTasks
                ? null
                : 'agent';
        busy.add(serverId);
        await attempt(waitsFor ? wait(job, waitsFor) : sendOrRefuse(job), serverId);
      }
    }
  };
  const tellChanges = async () => {
    const open = await readOpen();
    const now = new Map(
      open.map(({ id, server_id: serverId, state, waits_for, is_cancelled }) => [
        id,
        { serverId, state: `${state} ${waits_for} ${is_cancelled}` },
      ]),
    );
    const servers = new Set<string>();
    for (const [id, { serverId, state }] of now) if (seen.get(id)?.state !== state) servers.add(serverId);
    for (const [id, { serverId }] of seen) {
      if (now.has(id)) continue;
      servers.add(serverId);
      lists.changed(serverId);
    }
    seen = now;
    for (const serverId of servers) onChange(serverId);
  };

  /** A job that cannot advance now must not hold up the others. */
  const attempt = (work: Promise<void>, serverId: string) =>
    work.catch((error: unknown) =>
      log.warn({ err: error, serverId }, 'could not advance a mod job; will retry'),
    );

  const lookAtAll = async () => {
    do {
      isAskedAgain = false;
      for (const ended of await readEnded()) await attempt(settle(ended), ended.server_id);
      await cancelAgain();
      await sendWaiting();
      await tellChanges();
    } while (isAskedAgain && isPrepared);
  };
  const lookOnce = singleFlight(() =>
    lookAtAll().catch((error: unknown) => log.debug({ err: error }, 'could not check mod jobs; will retry')),
  );
  const look = () => {
    isAskedAgain = true;
    if (isPrepared) void lookOnce();
  };
  const stop = tasks.onChange(look);
  const timer = setInterval(look, lookEveryMs).unref();
  pauses.onChange(look);

  return {
    /** Checks the jobs soon. */
    look,
    async prepare(): Promise<void> {
      isPrepared = true;
      look();
    },
    async [Symbol.asyncDispose]() {
      isPrepared = false;
      stop();
      clearInterval(timer);
      await lookOnce.underWay();
    },
  };
};
