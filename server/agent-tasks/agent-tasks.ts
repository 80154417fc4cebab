import { createId } from '@paralleldrive/cuid2';
import type { Kysely } from 'kysely';
import { type ApiFrame, agentProtocolVersion } from '#contracts/agent-protocol.ts';
import type { AgentTask, TaskProgress, TaskResult } from '#contracts/agent-tasks.ts';
import type { AgentMachine, AgentTaskRow } from '#contracts/agent-tasks-http.ts';
import type { UploadedPart } from '#contracts/agent-uploads.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import type { Actor } from '../access/actor.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Notifications } from '../database/notifications.ts';
import type { Tables } from '../database/tables.ts';
import { createAgentReports } from './agent-reports.ts';
import { createOpenTasks, newOpenTask, type OpenTask, openTaskOf } from './open-task.ts';
import { createTaskDispatch } from './task-dispatch.ts';
import type { TaskLane } from './task-lane.ts';
import type { TaskFrame, TaskLink } from './task-link.ts';
import { createTaskRows, shownTask, tasksChannel, unknownTask } from './task-rows.ts';
import { createTaskUploads, type TaskUpload } from './task-uploads.ts';
import { createTaskWaiting, ended } from './task-waiting.ts';

export interface StartOptions {
  readonly by: Actor;
  /** Not begun by then, it is not run any more. */
  readonly expiresInMs: number;
}

export interface RunTaskOptions extends StartOptions {
  /** Cancels the task. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TaskProgress) => void) | undefined;
  /** Ends the waiting with `unknown`, not the task; an hour after it expires unless told. */
  readonly waitMs?: number | undefined;
  /** Gets what the agent has uploaded, before the result is returned; the file is gone once it settles. Without it, uploads are refused. */
  readonly onUpload?: ((upload: TaskUpload) => Promise<void>) | undefined;
}

/** What features ask of it. */
export interface AgentTasks {
  /** Writes a task down, in the caller's transaction if it is one: it goes out once that has committed. @returns its id */
  start(db: Kysely<Tables>, serverId: string, task: AgentTask, options: StartOptions): Promise<string>;
  /** Starts a task and waits for its result. @throws {Problem} SHUTTING_DOWN, DATABASE_UNAVAILABLE */
  run(serverId: string, task: AgentTask, options: RunTaskOptions): Promise<TaskResult>;
  /**
   * What was not sent ends as `cancelled`; else the agent is told, and its result still comes. Null: there is no such task.
   * @param by of one that a person cancels here and nowhere else: it is audited
   */
  cancel(serverId: string, id: string, by?: AuditContext): Promise<AgentTaskRow | null>;
  get(serverId: string, id: string): Promise<AgentTaskRow | null>;
  /** Newest first. */
  page(
    serverId: string,
    query: { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<{ rows: AgentTaskRow[]; nextCursor: string | null }>;
  /** What the agent last told of its machine and of the game's process. */
  machineOf(serverId: string): AgentMachine;
  /** A task, a process or a machine of this server has changed. @returns how to stop listening */
  onChange(listener: (serverId: string) => void): () => void;
}

export interface AgentTasksOptions {
  readonly db: Kysely<Tables>;
  readonly notifications: Pick<Notifications, 'listen'>;
  /** Holds uploads until their callers have them. */
  readonly uploadsFolder: string;
  readonly log: Log;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
  readonly sweepMs?: number;
  readonly retryMs?: number;
}

export interface AgentTasksService extends AgentTasks, TaskLane, AsyncDisposable {
  /** Once the schema stands, and before agents are let in. */
  prepare(): Promise<void>;
}

const v = agentProtocolVersion;
/** What no notification told of is looked for so seldom. */
const lookEveryMs = 5000;

const notTaken = 'The Game Agent did not take this in time: it is away, or too old to know tasks.';
const notCancelled = 'a task could not be cancelled';

export const createAgentTasks = (options: AgentTasksOptions): AgentTasksService => {
  const { db, notifications, log, now = () => performance.now(), sweepMs = 250, retryMs = 1000 } = options;
  const rows = createTaskRows(db);
  const reports = createAgentReports(db, log);
  const uploads = createTaskUploads(options.uploadsFolder, log);
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
    return link?.isOpen && reports.get(serverId)?.journal === link.journal ? link : null;
  };
  const pump = createTaskDispatch({ open, rows, linkOf, now, retryMs, log });

  /** Writes it down and has it go out. */
  const create = async (serverId: string, task: AgentTask, { by, expiresInMs }: StartOptions) => {
    const id = createId();
    const created = {
      ...newOpenTask({ id, serverId, task, expiresAtMs: now() + expiresInMs }),
      isHeld: true,
    };
    open.add(created);
    try {
      await rows.insert(db, { id, serverId, task, by, expiresInMs });
    } catch (error) {
      open.drop(created);
      throw error;
    }
    created.isHeld = false;
    changed(serverId);
    void pump(serverId);
    return created;
  };
  const adopt = async (id: string) => {
    if (!isPrepared || open.find(id)) return;
    const row = await rows.findOpen(id);
    if (!row || open.find(id) || isStopping) return;
    open.add(openTaskOf(row, now()));
    changed(row.server_id);
    void pump(row.server_id);
  };
  const look = async () => {
    for (const row of await rows.loadOpen()) {
      if (open.find(row.id) || isStopping) continue;
      open.add(openTaskOf(row, now()));
      void pump(row.server_id);
    }
  };
  const lookAgain = () => {
    if (isPrepared && !isStopping)
      look().catch((err: unknown) => log.debug({ err }, 'tasks for Game Agents could not be looked for'));
  };
  const subscription = notifications.listen(tasksChannel, {
    onNotification: (id) =>
      void adopt(id).catch((err: unknown) =>
        log.debug({ err }, 'a task for a Game Agent waits for the database'),
      ),
    onListening: lookAgain,
  });
  const looking = setInterval(lookAgain, lookEveryMs).unref();

  const settle = (task: OpenTask, result: TaskResult) => {
    open.settle(task, result);
    changed(task.serverId);
  };
  const endUnsent = (task: OpenTask, result: TaskResult) => {
    settle(task, result);
    // When that fails, the next start ends it.
    rows
      .finishUnsent(db, task.id, result)
      .catch((err: unknown) => log.warn({ err }, 'an unsent task could not be ended yet'));
  };
  const sweep = () => {
    for (const task of open.all()) {
      if (!task.isSent && !task.isHeld && now() >= task.expiresAtMs)
        endUnsent(task, ended('expired', notTaken));
      else if (task.isCancelled) void pump(task.serverId);
    }
  };
  const sweeping = setInterval(sweep, sweepMs).unref();
  let flushing: Promise<void> = Promise.resolve();
  const flush = () => {
    flushing = flushing.then(reports.flush);
    return flushing;
  };
  const flusher = setInterval(() => void flush(), 1000).unref();

  /** The agent has another memory: what it was sent before, it does not know of. */
  const giveUp = async (serverId: string) => {
    const ids = await rows.giveUpSent(db, serverId);
    settleUnknown(ids);
  };
  const settleUnknown = (ids: readonly string[]) => {
    for (const id of ids) {
      const task = open.find(id);
      if (task) settle(task, unknownTask);
    }
  };

  const takeMachine = async (
    serverId: string,
    link: TaskLink,
    frame: Extract<TaskFrame, { type: 'machine' }>,
  ) => {
    if (!link.isOpen) return;
    const { taskJournal, machine } = frame;
    const known = reports.get(serverId);
    if (known?.taskJournal !== taskJournal) await giveUp(serverId);
    if (!link.isOpen) return;
    const isSameProcess = known?.journal === link.journal;
    reports.set(serverId, {
      journal: link.journal,
      taskJournal,
      machine,
      machineAt: new Date(),
      process: known?.process ?? null,
      processAt: known?.processAt ?? null,
    });
    // Before a task goes out: a later process of the API must know whose memory has it.
    if (!isSameProcess || known.taskJournal !== taskJournal) await flush();
    if (links.get(serverId) !== link) resend(serverId);
    links.set(serverId, link);
    changed(serverId);
    void pump(serverId);
  };
  const resend = (serverId: string) => {
    for (const task of open.of(serverId).values()) Object.assign(task, { sentOn: null, cancelSentMs: null });
  };

  const takeProgress = (serverId: string, taskId: string, progress: TaskProgress) => {
    const task = open.of(serverId).get(taskId);
    if (!task?.isSent) return null;
    const isFirst = !task.isRunning;
    Object.assign(task, { progress, isAccepted: true, isRunning: true });
    for (const waiter of task.waiters) waiter.progress(progress);
    changed(serverId);
    return isFirst ? () => rows.markRunning(serverId, taskId, progress) : null;
  };

  const takeResult = async (serverId: string, taskId: string, result: TaskResult) => {
    const task = open.of(serverId).get(taskId);
    await rows.finish(serverId, taskId, result, task?.progress ?? null);
    if (task?.isSent && open.find(taskId) === task) settle(task, result);
    else changed(serverId);
  };

  const cancel = async (task: OpenTask, by?: AuditContext) => {
    const { id, serverId, isSent } = task;
    const cancelled = ended('cancelled', null);
    task.isHeld = !isSent;
    try {
      await db.transaction().execute(async (trx) => {
        await (isSent ? rows.markCancelled(trx, id) : rows.finishUnsent(trx, id, cancelled));
        const target = `server:${serverId}`;
        const after = { id, kind: task.task.kind };
        if (by) await recordAudit(trx, { ...by, action: 'agents.cancel-task', target, after });
      });
    } finally {
      task.isHeld = false;
    }
    if (!isSent) return settle(task, cancelled);
    task.isCancelled = true;
    changed(serverId);
    await pump(serverId);
  };

  const wait = createTaskWaiting({
    uploads,
    cancel: (task) => void cancel(task).catch((err: unknown) => log.warn({ err }, notCancelled)),
    now,
    everyMs: sweepMs,
  });

  const demandReady = () => {
    if (isStopping) throw new Problem('SHUTTING_DOWN');
    if (!isPrepared) throw new Problem('DATABASE_UNAVAILABLE');
  };
  const show = (row: Parameters<typeof shownTask>[0]): AgentTaskRow => {
    const { progress } = open.find(row.id) ?? row;
    return { ...shownTask(row), progress: progress ?? row.progress };
  };

  return {
    async prepare() {
      if (isPrepared) return;
      await uploads.prepare();
      await reports.load();
      await look();
      isPrepared = true;
    },
    async start(trx, serverId, task, startOptions) {
      demandReady();
      if (!trx.isTransaction) return (await create(serverId, task, startOptions)).id;
      const id = createId();
      await rows.insert(trx, { id, serverId, task, ...startOptions });
      return id;
    },
    async run(serverId, task, runOptions) {
      demandReady();
      if (runOptions.signal?.aborted) return ended('cancelled', null);
      return wait(await create(serverId, task, runOptions), runOptions);
    },
    async cancel(serverId, id, by) {
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
            ? { at: report.processAt.toISOString(), isCurrent: takesTasks, report: report.process }
            : null,
        takesTasks,
      };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    take(serverId, link, frame, reply) {
      switch (frame.type) {
        case 'machine':
          return () => takeMachine(serverId, link, frame);
        case 'process':
          return async () => {
            const known = reports.get(serverId);
            if (!known || links.get(serverId) !== link) return;
            reports.set(serverId, { ...known, process: frame.process, processAt: new Date() });
            changed(serverId);
          };
        case 'tasks-accepted':
          return async () => {
            const own = open.of(serverId);
            const taken = frame.taskIds.flatMap((id) => own.get(id) ?? []).filter(({ isSent }) => isSent);
            for (const task of taken) task.isAccepted = true;
            if (taken.length === 0) return;
            await rows.markAccepted(
              serverId,
              taken.map(({ id }) => id),
            );
            changed(serverId);
            void pump(serverId);
          };
        case 'task-progress':
          return takeProgress(serverId, frame.taskId, frame.progress);
        case 'task-result':
          return async () => {
            await takeResult(serverId, frame.taskId, frame.result);
            reply({ v, type: 'tasks-received', taskIds: [frame.taskId] });
            void pump(serverId);
          };
      }
    },
    async polled(serverId, link) {
      // An agent that polls goes on over a restart of the API, and does not say again what it said.
      if (reports.get(serverId)?.journal === link.journal) links.set(serverId, link);
      for (const task of open.of(serverId).values())
        if (task.sentOn === link && !task.isAccepted) task.sentOn = null;
      await pump(serverId);
    },
    async takeUpload(serverId, part, content, sha256) {
      const task = open.of(serverId).get(part.taskId);
      const isWanted = task?.isSent && [...task.waiters].some(({ takesUpload }) => takesUpload);
      if (!isWanted) throw new Problem('AGENT_UPLOAD_UNWANTED');
      await uploads.take(part, content, sha256);
    },
    async giveUp(trx, serverId) {
      const ids = await rows.giveUpSent(trx, serverId);
      await reports.remove(trx, serverId);
      return () => {
        settleUnknown(ids);
        reports.forget(serverId);
        links.delete(serverId);
        changed(serverId);
      };
    },
    cancelUnsent(serverId) {
      for (const task of [...open.of(serverId).values()])
        if (!task.isSent && !task.isHeld)
          void cancel(task).catch((err: unknown) => log.warn({ err }, notCancelled));
    },
    async [Symbol.asyncDispose]() {
      isStopping = true;
      for (const timer of [sweeping, looking, flusher]) clearInterval(timer);
      await subscription.close();
      open.end(new Problem('SHUTTING_DOWN'));
      await flush();
    },
  };
};
