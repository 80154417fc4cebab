import type { AgentTaskKind, AgentTaskOf, TaskProgress, TaskResult } from '#contracts/servers/agent-tasks.ts';

/** What a task can use while it runs. */
export interface TaskRun {
  readonly id: string;
  /** Aborted when the task is cancelled or the agent stops. */
  readonly signal: AbortSignal;
  /** Aborted only when the task is cancelled: work that outlives the agent continues when the agent stops. */
  readonly cancelled: AbortSignal;
  /** Aborted only when the agent stops. */
  readonly stopping: AbortSignal;
  progress(progress: TaskProgress): void;
  /** Sends content that is too large for a frame. @throws {Error} when the API does not accept it */
  upload(content: Buffer): Promise<void>;
}

/** Thrown by a task that the agent's end has interrupted, even if it was cancelled before: the next start recovers it. */
export class LeftForNextStart extends Error {
  override readonly name = 'LeftForNextStart';
}

export interface TaskHandler<Kind extends AgentTaskKind> {
  run(task: AgentTaskOf<Kind>, run: TaskRun): Promise<TaskResult>;
  /** The agent died while the task ran: finishes it, runs it again, or says how it ended. */
  recover(task: AgentTaskOf<Kind>, run: TaskRun): Promise<TaskResult>;
}

/** One handler per kind; a kind without one is refused. */
export type TaskHandlers = { readonly [Kind in AgentTaskKind]?: TaskHandler<Kind> };
