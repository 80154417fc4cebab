import { createId } from '@paralleldrive/cuid2';
import type { Kysely } from 'kysely';
import type { AgentTask, TaskResult } from '#contracts/servers/agent-tasks.ts';
import type { AgentMachine, AgentTaskRow } from '#contracts/servers/agent-tasks-http.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import type { AuditContext } from '../kernel/access/audit-context.ts';
import { recordAudit } from '../kernel/audit/record-audit.ts';
import type { Leases } from '../kernel/commands/leases.ts';
import type { Notifications } from '../kernel/database/notifications.ts';
import type { Tables } from '../kernel/database/tables.ts';
import { createAgentReports } from './agent-tasks/agent-reports.ts';
import { createNewTasks } from './agent-tasks/new-tasks.ts';
import { createOpenTasks, type OpenTask } from './agent-tasks/open-task.ts';
import { createTaskDispatch } from './agent-tasks/task-dispatch.ts';
import { createTaskLane, type TaskLane } from './agent-tasks/task-lane.ts';
import type { TaskLink } from './agent-tasks/task-link.ts';
import { createTaskRows, shownTask } from './agent-tasks/task-rows.ts';
import { createTaskUploads } from './agent-tasks/task-uploads.ts';
import {
  createTaskWaiting,
  ended,
  type RunTaskOptions,
  type StartOptions,
} from './agent-tasks/task-waiting.ts';

/** What features ask of the tasks. */
export interface AgentTasks {
  /** Writes a task, in the caller's transaction if `db` is one: it goes out once that has committed. @returns its id */
  start(db: Kysely<Tables>, serverId: string, task: AgentTask, options: StartOptions): Promise<string>;
  /** Starts a task and waits for its result. @throws {Problem} SHUTTING_DOWN, DATABASE_UNAVAILABLE */
  run(serverId: string, task: AgentTask, options: RunTaskOptions): Promise<TaskResult>;
  /**
   * An unsent task ends as `cancelled`; otherwise the agent is told, and its result still comes. Null: there is no such
   * task.
   * @param by for a task that a person cancels here and nowhere else: it is audited
   */
  cancel(serverId: string, id: string, by?: AuditContext): Promise<AgentTaskRow | null>;
  get(serverId: string, id: string): Promise<AgentTaskRow | null>;
  /** Newest first. */
  page(
    serverId: string,
    query: { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<{ rows: AgentTaskRow[]; nextCursor: string | null }>;
  /** What the agent last reported about its machine and the game's process. */
  machineOf(serverId: string): AgentMachine;
  /** Called when a task, a process or a machine of this server has changed. @returns how to stop listening */
  onChange(listener: (serverId: string) => void): () => void;
}

export interface AgentTasksOptions {
  readonly db: Kysely<Tables>;
  readonly notifications: Pick<Notifications, 'listen'>;
  readonly leases: Pick<Leases, 'processId' | 'otherProcesses'>;
  /** Holds uploads until their callers have taken them. */
  readonly uploadsFolder: string;
  readonly log: Log;
  /** Milliseconds on a monotonic clock. */
  readonly now?: () => number;
  readonly sweepMs?: number;
  readonly retryMs?: number;
}

export interface AgentTasksService extends AgentTasks, TaskLane, AsyncDisposable {
  /** Called once the schema is in place, and before agents are admitted. */
  prepare(): Promise<void>;
}

const notCancelled = 'could not cancel a task';
/** What these find is for the waiting caller alone: a game's console may print anything. */
const unkept: ReadonlySet<string> = new Set<AgentTask['kind']>(['console-history']);
/** Requested so often that their rows would push all others out of the list. */
const unlisted: ReadonlySet<string> = new Set<AgentTask['kind']>(['list-saves', 'list-mods', 'inspect-mod']);

export const createAgentTasks = (options: AgentTasksOptions): AgentTasksService => {
  const { db, notifications, log, now = () => performance.now(), sweepMs = 250, retryMs = 1000 } = options;
  const rows = createTaskRows(db);
  const reports = createAgentReports(db, log);
  const uploads = createTaskUploads(options.uploadsFolder, options.leases, log);
  const open = createOpenTasks();
  const links = new Map<string, TaskLink>();
  const listeners = new Set<(serverId: string) => void>();
  let isPrepared = false;
  let isStopping = false;

  const changed = (serverId: string) => {
    for (const listener of listeners) listener(serverId);
  };
  const linkOf = (serverId: string): TaskLink | null => {
    const link = links.get(serverId);
    return link?.isOpen && reports.get(serverId)?.journal === link.facts.journal ? link : null;
  };
  const settle = (task: OpenTask, result: TaskResult) => {
    open.settle(task, result);
    changed(task.serverId);
  };
  const pump = createTaskDispatch({ open, rows, settle, linkOf, now, retryMs, log });
  const newTasks = createNewTasks({
    db,
    notifications,
    rows,
    open,
    pump,
    settle,
    changed,
    isReady: () => isPrepared && !isStopping,
    log,
    now,
    sweepMs,
  });

  let flushing: Promise<void> = Promise.resolve();
  const flush = () => {
    flushing = flushing.then(reports.flush);
    return flushing;
  };
  const flusher = setInterval(() => void flush(), 1000).unref();

  const cancel = async (task: OpenTask, by?: AuditContext) => {
    const { id, serverId } = task;
    const cancelled = ended('cancelled', null);
    task.holds += 1;
    let isEnded = false;
    try {
      await db.transaction().execute(async (trx) => {
        isEnded = !task.isSent && (await rows.finishUnsent(trx, id, cancelled));
        if (!isEnded) await rows.markCancelled(trx, id);
        const target = `server:${serverId}`;
        const after = { id, kind: task.task.kind };
        if (by) await recordAudit(trx, { ...by, action: 'agents.cancel-task', target, after });
      });
    } finally {
      task.holds -= 1;
    }
    if (!task.isSent) {
      // Another process may have sent or ended it; or its row is still being written.
      const row = isEnded ? null : await rows.find(serverId, id);
      if (!row?.sent_at || row.done_at) {
        settle(task, row?.result ?? cancelled);
        if (!isEnded && !row?.done_at) await newTasks.abandon(id);
        return;
      }
      task.isSent = true;
    }
    task.isCancelled = true;
    changed(serverId);
    await pump(serverId);
  };
  const tryCancel = (task: OpenTask) =>
    void cancel(task).catch((err: unknown) => log.warn({ err }, notCancelled));

  const lane = createTaskLane({
    db,
    rows,
    open,
    reports,
    uploads,
    links,
    flush,
    pump,
    settle,
    cancelUnsent: tryCancel,
    changed,
    onFailure: (err) => log.warn({ err }, 'could not end the tasks of an archived server yet'),
  });
  const wait = createTaskWaiting({ uploads, cancel: tryCancel, now, everyMs: sweepMs });

  const demandReady = () => {
    if (isStopping) throw new Problem('SHUTTING_DOWN');
    if (!isPrepared) throw new Problem('DATABASE_UNAVAILABLE');
  };
  const show = (row: Parameters<typeof shownTask>[0]): AgentTaskRow => {
    const { progress } = open.find(row.id) ?? row;
    return { ...shownTask(row), progress: progress ?? row.progress };
  };

  return {
    ...lane,
    async prepare() {
      if (isPrepared) return;
      await uploads.prepare();
      await reports.load();
      await newTasks.load();
      isPrepared = true;
    },
    async start(trx, serverId, task, startOptions) {
      demandReady();
      if (!trx.isTransaction) return (await newTasks.create(serverId, task, startOptions)).id;
      const { id = createId(), ...given } = startOptions;
      await rows.insert(trx, { id, serverId, task, ...given });
      return id;
    },
    async run(serverId, task, runOptions) {
      demandReady();
      if (runOptions.signal?.aborted) return ended('cancelled', null);
      const created = await newTasks.create(serverId, task, runOptions);
      const result = await wait(created, runOptions);
      if (unlisted.has(task.kind))
        rows
          .remove(created.id)
          .catch((err: unknown) => log.warn({ err }, 'could not delete the row of a task'));
      if (unkept.has(task.kind) && result.value !== null)
        rows
          .forgetValue(created.id)
          .catch((err: unknown) => log.warn({ err }, 'could not delete the result of a task'));
      return result;
    },
    async cancel(serverId, id, by) {
      if (!open.of(serverId).has(id)) await newTasks.adopt(id);
      const task = open.of(serverId).get(id);
      if (task && !task.isCancelled) await cancel(task, by);
      const row = await rows.find(serverId, id);
      return row && show(row);
    },
    async get(serverId, id) {
      const row = await rows.find(serverId, id);
      return row && show(row);
    },
    async page(serverId, { cursor, limit }) {
      if (cursor !== undefined && !/^\d{1,18}$/.test(cursor))
        throw new Problem('INVALID_REQUEST', { detail: 'The cursor is none of this list.' });
      const found = await rows.page(serverId, cursor ?? null, limit + 1);
      const page = found.slice(0, limit);
      return {
        rows: page.map(show),
        nextCursor: found.length > limit ? (page.at(-1)?.number ?? null) : null,
      };
    },
    machineOf(serverId) {
      const report = reports.get(serverId);
      const takesTasks = linkOf(serverId) !== null;
      return {
        machine: report && { at: report.machineAt.toISOString(), facts: report.machine },
        process:
          report?.process && report.processAt
            ? {
                at: report.processAt.toISOString(),
                isCurrent: takesTasks && report.isProcessOfNow,
                report: report.process,
              }
            : null,
        takesTasks,
      };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async [Symbol.asyncDispose]() {
      isStopping = true;
      clearInterval(flusher);
      await newTasks[Symbol.asyncDispose]();
      open.end(new Problem('SHUTTING_DOWN'));
      await flush();
    },
  };
};
