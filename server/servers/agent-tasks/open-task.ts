import type { AgentTask, TaskProgress, TaskResult } from '#contracts/servers/agent-tasks.ts';
import type { TaskLink } from './task-link.ts';
import type { TaskRow } from './task-rows.ts';

/** A caller that waits for a result. */
export interface TaskWaiter {
  /** Limit of the agent's upload; 0: nothing is accepted. */
  readonly mostUploadBytes: number;
  settle(result: TaskResult): void;
  fail(error: unknown): void;
  progress(progress: TaskProgress): void;
}

/** A task without a result. Times are on a monotonic clock. */
export interface OpenTask {
  readonly id: string;
  readonly serverId: string;
  readonly task: AgentTask;
  readonly expiresAtMs: number;
  readonly waiters: Set<TaskWaiter>;
  /** A frame went out, from this process or an earlier one. */
  isSent: boolean;
  isAccepted: boolean;
  isRunning: boolean;
  isCancelled: boolean;
  /** What is being done to its row, such as writing it or ending it unsent: until then it must not go out. */
  holds: number;
  progress: TaskProgress | null;
  sentOn: TaskLink | null;
  /** Its result, including for a caller that starts to wait after the end. */
  ended: TaskResult | null;
  /** When the agent was last told that the task is cancelled. */
  cancelSentMs: number | null;
}

export const newOpenTask = (given: Pick<OpenTask, 'id' | 'serverId' | 'task' | 'expiresAtMs'>): OpenTask => ({
  ...given,
  waiters: new Set(),
  isSent: false,
  isAccepted: false,
  isRunning: false,
  isCancelled: false,
  holds: 0,
  progress: null,
  sentOn: null,
  ended: null,
  cancelSentMs: null,
});

export const openTaskOf = (row: TaskRow, nowMs: number): OpenTask => ({
  ...newOpenTask({
    id: row.id,
    serverId: row.server_id,
    task: row.request,
    expiresAtMs: nowMs + row.expires_in_ms,
  }),
  isSent: row.sent_at !== null,
  isAccepted: row.state === 'accepted' || row.state === 'running',
  isRunning: row.state === 'running',
  isCancelled: row.cancel_at !== null,
  progress: row.progress,
});

/** The open tasks, of each server in the order in which they were given. */
export type OpenTasks = ReturnType<typeof createOpenTasks>;

const none: ReadonlyMap<string, OpenTask> = new Map();

export const createOpenTasks = () => {
  const byServer = new Map<string, Map<string, OpenTask>>();
  const byId = new Map<string, OpenTask>();
  const drop = (task: OpenTask) => {
    byId.delete(task.id);
    const own = byServer.get(task.serverId);
    own?.delete(task.id);
    if (own?.size === 0) byServer.delete(task.serverId);
  };
  return {
    of: (serverId: string): ReadonlyMap<string, OpenTask> => byServer.get(serverId) ?? none,
    /** On any server. */
    find: (id: string): OpenTask | null => byId.get(id) ?? null,
    all: (): Iterable<OpenTask> => [...byId.values()],
    add(task: OpenTask): void {
      const own = byServer.get(task.serverId) ?? new Map<string, OpenTask>();
      byServer.set(task.serverId, own.set(task.id, task));
      byId.set(task.id, task);
    },
    /** Drops it, and notifies those who wait for it. */
    settle(task: OpenTask, result: TaskResult): void {
      drop(task);
      task.ended = result;
      for (const waiter of task.waiters) waiter.settle(result);
    },
    drop,
    end(why: Error): void {
      const all = [...byId.values()];
      byId.clear();
      byServer.clear();
      for (const { waiters } of all) for (const waiter of waiters) waiter.fail(why);
    },
  };
};
