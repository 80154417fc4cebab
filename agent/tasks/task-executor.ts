import type { ApiFrame } from '#contracts/servers/agent-protocol.ts';
import {
  type AgentTask,
  agentTask,
  largestTaskResult,
  type TaskProgress,
  type TaskResult,
  taskResult,
} from '#contracts/servers/agent-tasks.ts';
import type { Log } from '#runtime/log.ts';
import { LeftForNextStart, type TaskHandler, type TaskHandlers, type TaskRun } from './task-handlers.ts';
import { lostTask, type ReceivedTask, type TaskJournal } from './task-journal.ts';

export type TaskFrame = Extract<ApiFrame, { type: 'task' }>;

/** Reports to the API. */
export interface TaskNews {
  /** The task is written to the journal. */
  accepted(id: string): void;
  finished(id: string): void;
  progress(id: string, progress: TaskProgress): void;
}

/** Accepts tasks and runs them in parallel, except that tasks which exclude each other run one at a time; keeps their results. */
export interface TaskExecutor extends AsyncDisposable {
  /** Whether tasks wait or run. */
  isBusy(): boolean;
  /** The kinds that it can run. */
  readonly kinds: readonly string[];
  take(frame: TaskFrame): void;
  /** A waiting task ends immediately; a started one is notified, also in the next process. */
  cancel(id: string): void;
  /** The API has received these results. */
  forget(ids: readonly string[]): void;
}

interface QueuedTask {
  readonly received: ReceivedTask;
  /** By the monotonic clock. */
  readonly deadlineMs: number;
  /** It had started when the agent died. */
  readonly isBegun: boolean;
  readonly cancelling: AbortController;
  /** Ends it when it has waited too long. */
  expiry?: NodeJS.Timeout;
}

/** Tasks that wait; more are refused. */
const mostWaiting = 50;
/** Including results that the API has not received: further tasks are not answered at all. */
const mostKept = 500;
/** The longest delay of a timer. */
const longestTimerMs = 2 ** 31 - 1;

const ended = (outcome: TaskResult['outcome'], detail: string | null): TaskResult => ({
  outcome,
  detail,
  value: null,
});

export const openTaskExecutor = (options: {
  readonly journal: TaskJournal;
  readonly handlers: TaskHandlers;
  readonly news: TaskNews;
  /** Sends content that is too large for a frame. */
  readonly upload: (taskId: string, content: Buffer, signal: AbortSignal) => Promise<void>;
  /** The journal cannot be written: no further task may run. */
  readonly onFailure: (error: unknown) => void;
  readonly log: Log;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
  /** For running tasks, when the agent stops. */
  readonly patienceMs?: number;
}): TaskExecutor => {
  const { journal, handlers, news, upload, onFailure, log, now = Date.now, patienceMs = 5000 } = options;
  const stopping = new AbortController();
  const waiting = new Map<string, QueuedTask[]>();
  const working = new Map<string, Promise<void>>();
  /** All tasks without a result, by id. */
  const queued = new Map<string, QueuedTask>();
  /** The journal may be closed: the next start picks up tasks that end now. */
  let isClosed = false;

  const orFail = (written: Promise<unknown>) => void written.catch(onFailure);

  const finish = async (id: string, result: TaskResult) => {
    await journal.finish(id, result);
    queued.delete(id);
    news.finished(id);
    log.info({ taskId: id, outcome: result.outcome }, 'task done');
  };
  const enqueue = (task: QueuedTask) => {
    const lane = laneOf(task.received.task);
    waiting.set(lane, [...(waiting.get(lane) ?? []), task]);
    queued.set(task.received.id, task);
    const waitMs = Math.min(task.deadlineMs - performance.now(), longestTimerMs);
    task.expiry = setTimeout(() => endWaiting(task, 'expired'), Math.max(0, waitMs)).unref();
    if (task.cancelling.signal.aborted) endWaiting(task, 'cancelled');
    if (working.has(lane)) return;
    working.set(lane, workAll(lane).catch(onFailure));
  };
  /** Not only when its lane is free: another task may take hours. @returns whether it was waiting */
  const endWaiting = (task: QueuedTask, outcome: 'cancelled' | 'expired'): boolean => {
    const lane = laneOf(task.received.task);
    const line = waiting.get(lane) ?? [];
    if (task.isBegun || stopping.signal.aborted || !line.includes(task)) return false;
    clearTimeout(task.expiry);
    waiting.set(
      lane,
      line.filter((other) => other !== task),
    );
    orFail(finish(task.received.id, ended(outcome, null)));
    return true;
  };
  const workAll = async (lane: string) => {
    // Not before it is among the running ones.
    await Promise.resolve();
    try {
      for (;;) {
        const [next, ...others] = waiting.get(lane) ?? [];
        if (!next || stopping.signal.aborted) return;
        waiting.set(lane, others);
        clearTimeout(next.expiry);
        const result = await carryOut(next);
        if (result === null || isClosed) return;
        await finish(next.received.id, result);
      }
    } finally {
      working.delete(lane);
    }
  };

  /** Null when the agent stops before it has ended: the next start picks it up. */
  const carryOut = async (queuedTask: QueuedTask): Promise<TaskResult | null> => {
    const { received, deadlineMs, isBegun, cancelling } = queuedTask;
    const known = agentTask.safeParse(received.task).data;
    const handler = known && (handlers[known.kind] as TaskHandler<AgentTask['kind']> | undefined);
    if (!known || !handler) return isBegun ? lostTask : unknownKind(received.task.kind);
    if (!isBegun) {
      if (cancelling.signal.aborted) return ended('cancelled', null);
      if (performance.now() >= deadlineMs) return ended('expired', null);
      await journal.start(received.id);
      // Cancelled in between; nothing was done yet.
      if (cancelling.signal.aborted) return ended('cancelled', null);
    }
    const run: TaskRun = {
      id: received.id,
      signal: AbortSignal.any([cancelling.signal, stopping.signal]),
      cancelled: cancelling.signal,
      stopping: stopping.signal,
      progress: (progress) => news.progress(received.id, progress),
      upload: (content) => upload(received.id, content, run.signal),
    };
    try {
      const result = await (isBegun ? handler.recover(known, run) : handler.run(known, run));
      const isOnlyStopped = stopping.signal.aborted && !cancelling.signal.aborted;
      if (isOnlyStopped && result.outcome === 'cancelled') return null;
      return fitting(result);
    } catch (error) {
      if (error instanceof LeftForNextStart) return null;
      if (cancelling.signal.aborted) return ended('cancelled', null);
      if (stopping.signal.aborted) return null;
      log.error({ err: error, taskId: received.id, kind: known.kind }, 'task failed');
      return ended('failed', error instanceof Error ? error.message.slice(0, 2000) : null);
    }
  };

  const receive = async ({ id, task, expiresInMs }: TaskFrame) => {
    const received: ReceivedTask = { kind: 'received', id, task, expiresInMs, at: now() };
    const fresh = queuedOf(received, received.at, false);
    const refusal = refusalOf(task);
    if (refusal) return finish(id, refusal);
    queued.set(id, fresh);
    await journal.receive(received);
    news.accepted(id);
    enqueue(fresh);
  };
  const refusalOf = (task: TaskFrame['task']): TaskResult | null => {
    const known = agentTask.safeParse(task).data;
    if (!known || !handlers[known.kind]) return unknownKind(task.kind);
    if (queued.size < mostWaiting) return null;
    return ended(
      'refused',
      `${mostWaiting} tasks wait for this agent already. Try again when some are done.`,
    );
  };

  for (const { task, stage, isCancelled } of journal.open()) {
    const known = queuedOf(task, now(), stage === 'started');
    if (isCancelled) known.cancelling.abort();
    enqueue(known);
  }

  return {
    isBusy: () => queued.size > 0,
    kinds: Object.keys(handlers),
    take(frame) {
      const { id, accepted = false } = frame;
      if (stopping.signal.aborted || journal.isWriting(id)) return;
      const known = journal.find(id);
      if (known) return 'result' in known ? news.finished(id) : news.accepted(id);
      if (journal.size >= mostKept)
        return log.warn({ taskId: id }, 'too many results are waiting for the API; task not accepted');
      orFail(accepted ? finish(id, lostTask) : receive(frame));
    },
    cancel(id) {
      const task = queued.get(id);
      if (!task || task.cancelling.signal.aborted || isClosed) return;
      task.cancelling.abort();
      if (!endWaiting(task, 'cancelled')) orFail(journal.cancel(id));
    },
    forget: (ids) => orFail(journal.forget(ids)),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      const patience = Promise.withResolvers<void>();
      const timer = setTimeout(patience.resolve, patienceMs);
      await Promise.race([Promise.all(working.values()), patience.promise]);
      clearTimeout(timer);
      isClosed = true;
      for (const { expiry } of queued.values()) clearTimeout(expiry);
    },
  };
};

/** Tasks of one lane run one after another. An owner who kills a game does not wait for its countdown. */
const laneOf = (task: TaskFrame['task']): string => {
  if (task.kind === 'power') return task.action === 'kill' ? 'kill' : 'power';
  return savesKinds.has(task.kind) ? 'saves' : task.kind;
};
/** A change of mods backs the world up, and keeps the game down, as a restore requires. */
const savesKinds = new Set([
  'backup-saves',
  'restore-saves',
  'undo-restore',
  'confirm-restore',
  'change-mods',
]);

const unknownKind = (kind: string): TaskResult =>
  ended('refused', `This agent does not know tasks of the kind "${kind.slice(0, 50)}". Update it.`);

/**
 * This machine's clock decides only for a task from before a restart; if it was set back to before the receipt, the age is
 * unknown, so the task counts as expired.
 */
const queuedOf = (received: ReceivedTask, nowMs: number, isBegun: boolean): QueuedTask => {
  const { at, expiresInMs } = received;
  const remainingMs = nowMs < at ? 0 : at + expiresInMs - nowMs;
  return {
    received,
    deadlineMs: performance.now() + remainingMs,
    isBegun,
    cancelling: new AbortController(),
  };
};

const fitting = (result: TaskResult): TaskResult => {
  const { data } = taskResult.safeParse({ ...result, detail: result.detail?.slice(0, 2000) ?? null });
  if (data && Buffer.byteLength(JSON.stringify(data)) <= largestTaskResult) return data;
  return ended('failed', 'What this task found is too large for its result.');
};
