import { agentProtocolVersion } from '#contracts/servers/agent-protocol.ts';
import type { TaskResult } from '#contracts/servers/agent-tasks.ts';
import type { Log } from '#runtime/log.ts';
import type { OpenTask, OpenTasks } from './open-task.ts';
import type { TaskLink } from './task-link.ts';
import { type TaskRows, unknownTask } from './task-rows.ts';

/** Hands over what waits for a server's agent. Never fails. */
export type PumpTasks = (serverId: string) => Promise<void>;

const v = agentProtocolVersion;
/** Sent and not yet accepted. */
const mostInFlight = 50;
/** A cancel is repeated at this interval until the task has a result. */
const cancelEveryMs = 10_000;

export const createTaskDispatch = (options: {
  readonly open: OpenTasks;
  readonly rows: Pick<TaskRows, 'markSent' | 'find'>;
  readonly settle: (task: OpenTask, result: TaskResult) => void;
  /** The link to the server's agent, if it takes tasks now. */
  readonly linkOf: (serverId: string) => TaskLink | null;
  readonly now: () => number;
  readonly retryMs: number;
  readonly log: Log;
}): PumpTasks => {
  const { open, rows, settle, linkOf, now, retryMs, log } = options;
  const pumping = new Map<string, Promise<void>>();

  const nextFor = (serverId: string, link: TaskLink): OpenTask[] => {
    const tasks = [...open.of(serverId).values()];
    const inFlight = tasks.filter(({ sentOn, isAccepted }) => sentOn === link && !isAccepted).length;
    return tasks
      .filter((task) => task.sentOn !== link && (task.isSent || task.expiresAtMs > now()) && task.holds === 0)
      .slice(0, Math.max(0, mostInFlight - inFlight));
  };

  /** It was ended in the database in between, for example by a cancel or another process. */
  const settleAsStored = async (task: OpenTask) => {
    const row = await rows.find(task.serverId, task.id);
    if (open.find(task.id) === task) settle(task, row?.result ?? unknownTask);
  };

  /** What was sent must never look unsent. @returns those that may go out; null: the database does not answer now */
  const mark = async (serverId: string, tasks: readonly OpenTask[]): Promise<OpenTask[] | null> => {
    const unsent = tasks.filter(({ isSent }) => !isSent);
    try {
      const marked = new Set(unsent.length > 0 ? await rows.markSent(unsent.map(({ id }) => id)) : []);
      for (const task of unsent) if (!marked.has(task.id)) await settleAsStored(task);
      return tasks.filter(({ id, isSent }) => isSent || marked.has(id));
    } catch (err) {
      log.warn({ err }, 'Game Agent tasks are waiting for the database');
      setTimeout(() => void pump(serverId), retryMs).unref();
      return null;
    }
  };

  const send = (task: OpenTask, link: TaskLink) => {
    if (open.find(task.id) !== task || task.holds > 0 || !link.isReady) return;
    task.isSent = true;
    task.sentOn = link;
    const accepted = task.isAccepted ? { accepted: true } : {};
    const expiresInMs = Math.max(0, Math.round(task.expiresAtMs - now()));
    link.send({ v, type: 'task', id: task.id, task: task.task, expiresInMs, ...accepted });
  };

  const sendCancels = (serverId: string) => {
    const link = linkOf(serverId);
    for (const task of open.of(serverId).values()) {
      const isTold = task.cancelSentMs !== null && now() - task.cancelSentMs < cancelEveryMs;
      if (!task.isCancelled || task.sentOn !== link || !link?.isReady || isTold) continue;
      task.cancelSentMs = now();
      link.send({ v, type: 'task-cancel', id: task.id });
    }
  };

  const pumpAll = async (serverId: string) => {
    try {
      for (;;) {
        const link = linkOf(serverId);
        const next = link?.isReady ? nextFor(serverId, link) : [];
        const marked = link && next.length > 0 ? await mark(serverId, next) : null;
        if (!link || !marked) break;
        for (const task of marked) send(task, link);
      }
      sendCancels(serverId);
    } finally {
      pumping.delete(serverId);
    }
  };

  const pump: PumpTasks = (serverId) => {
    const running = pumping.get(serverId);
    if (running) return running;
    const begun = Promise.resolve().then(() => pumpAll(serverId));
    pumping.set(serverId, begun);
    return begun;
  };
  return pump;
};
