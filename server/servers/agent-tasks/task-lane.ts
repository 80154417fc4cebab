import type { Kysely } from 'kysely';
import { type ApiFrame, agentProtocolVersion } from '#contracts/servers/agent-protocol.ts';
import type { AgentTask, TaskProgress, TaskResult } from '#contracts/servers/agent-tasks.ts';
import type { UploadedPart } from '#contracts/servers/agent-uploads.ts';
import { Problem } from '#runtime/problem.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { AgentReports } from './agent-reports.ts';
import type { OpenTask, OpenTasks } from './open-task.ts';
import type { PumpTasks } from './task-dispatch.ts';
import type { TaskFrame, TaskLink } from './task-link.ts';
import { type TaskRows, unknownTask } from './task-rows.ts';
import type { TaskUploads } from './task-uploads.ts';

/** What the agents' gateway asks of it. */
export type TaskLane = ReturnType<typeof createTaskLane>;

const v = agentProtocolVersion;

/** What agents report about tasks and their machines. */
export const createTaskLane = (options: {
  readonly db: Kysely<Tables>;
  readonly rows: TaskRows;
  readonly open: OpenTasks;
  readonly reports: AgentReports;
  readonly uploads: Pick<TaskUploads, 'take'>;
  /** By server; only the lane changes it. */
  readonly links: Map<string, TaskLink>;
  readonly flush: () => Promise<void>;
  readonly pump: PumpTasks;
  readonly settle: (task: OpenTask, result: TaskResult) => void;
  /** Never fails. */
  readonly cancelUnsent: (task: OpenTask) => void;
  readonly changed: (serverId: string) => void;
  readonly onFailure: (error: unknown) => void;
}) => {
  const { db, rows, open, reports, uploads, links, flush, pump, settle, changed } = options;
  /** The frames that open a server's lane, one after another across connections. */
  const openings = new Map<string, Promise<void>>();

  const settleUnknown = (ids: readonly string[]) => {
    for (const id of ids) {
      const task = open.find(id);
      if (task) settle(task, unknownTask);
    }
  };
  const giveUpSent = async (serverId: string) => settleUnknown(await rows.giveUpSent(db, serverId));
  const resend = (serverId: string) => {
    for (const task of open.of(serverId).values()) Object.assign(task, { sentOn: null, cancelSentMs: null });
  };

  const openLane = async (
    serverId: string,
    link: TaskLink,
    { taskJournal, machine }: Extract<TaskFrame, { type: 'machine' }>,
  ) => {
    if (!link.isOpen) return;
    const known = reports.get(serverId);
    // The agent has another memory: it does not know what it was sent before.
    if (known?.taskJournal !== taskJournal) await giveUpSent(serverId);
    if (!link.isOpen) return;
    const isSameLink = links.get(serverId) === link;
    const isSameProcess = known?.journal === link.facts.journal;
    reports.tellMachine(serverId, { journal: link.facts.journal, taskJournal, machine }, isSameLink);
    // Before a task goes out: a later process of the API must know which memory has it.
    if (!isSameProcess || known.taskJournal !== taskJournal) await flush();
    // Another connection may have replaced it while the database was slow.
    if (!link.isOpen) return;
    if (!isSameLink) resend(serverId);
    links.set(serverId, link);
    changed(serverId);
    void pump(serverId);
  };
  const takeMachine = (
    serverId: string,
    link: TaskLink,
    frame: Extract<TaskFrame, { type: 'machine' }>,
  ): Promise<void> => {
    const turn = (openings.get(serverId) ?? Promise.resolve()).then(() => openLane(serverId, link, frame));
    const settled = turn
      .catch(() => undefined)
      .then(() => {
        if (openings.get(serverId) === settled) openings.delete(serverId);
      });
    openings.set(serverId, settled);
    return turn;
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
  const takeAccepted = async (serverId: string, taskIds: readonly string[]) => {
    const own = open.of(serverId);
    const taken = taskIds.flatMap((id) => own.get(id) ?? []).filter(({ isSent }) => isSent);
    for (const task of taken) task.isAccepted = true;
    if (taken.length === 0) return;
    const ids = taken.map(({ id }) => id);
    await rows.markAccepted(serverId, ids);
    changed(serverId);
    void pump(serverId);
  };

  return {
    /** Takes a frame about tasks. @returns what writes it; null if there is nothing to write */
    take(
      serverId: string,
      link: TaskLink,
      frame: TaskFrame,
      reply: (frame: ApiFrame) => void,
    ): (() => Promise<void>) | null {
      switch (frame.type) {
        case 'machine':
          return () => takeMachine(serverId, link, frame);
        case 'process':
          return async () => {
            if (links.get(serverId) !== link || !reports.tellProcess(serverId, frame.process)) return;
            changed(serverId);
            // A polling agent does not report it again after a restart of the API.
            if (link.facts.mode === 'polling') await flush();
          };
        case 'tasks-accepted':
          return () => takeAccepted(serverId, frame.taskIds);
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
    /** Before a poll is answered: what the last answer carried and the agent does not know is sent again. */
    async polled(serverId: string, link: TaskLink): Promise<void> {
      // A polling agent continues over a restart of the API, and does not repeat its reports.
      if (reports.get(serverId)?.journal === link.facts.journal) links.set(serverId, link);
      for (const task of open.of(serverId).values())
        if (task.sentOn === link && !task.isAccepted) task.sentOn = null;
      await pump(serverId);
    },
    /** A part of an upload that an agent has proven. @throws {Problem} when no caller waits for it, or there is too much */
    async takeUpload(
      serverId: string,
      part: UploadedPart,
      content: Uint8Array,
      sha256: string,
    ): Promise<void> {
      const task = open.of(serverId).get(part.taskId);
      const wanted = task?.isSent ? [...task.waiters].map(({ mostUploadBytes }) => mostUploadBytes) : [];
      const mostBytes = Math.max(0, ...wanted);
      if (mostBytes === 0) throw new Problem('AGENT_UPLOAD_UNWANTED');
      await uploads.take(part, content, sha256, mostBytes);
    },
    /** A task that this server's agent was sent and has not ended; null: there is none. */
    sentTask(serverId: string, taskId: string): AgentTask | null {
      const task = open.of(serverId).get(taskId);
      return task?.isSent ? task.task : null;
    },
    /** The agent is replaced, in the caller's transaction. @returns what to call once it has committed */
    async giveUp(trx: Kysely<Tables>, serverId: string): Promise<() => void> {
      const ids = await rows.giveUpSent(trx, serverId);
      await reports.remove(trx, serverId);
      return () => {
        settleUnknown(ids);
        reports.forget(serverId);
        links.delete(serverId);
        changed(serverId);
      };
    },
    /** The server is archived: unsent tasks are cancelled, the rest ends as `unknown`. */
    endAll(serverId: string): void {
      for (const task of [...open.of(serverId).values()]) if (!task.isSent) options.cancelUnsent(task);
      giveUpSent(serverId).catch(options.onFailure);
    },
  };
};
