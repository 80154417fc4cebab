import type { AgentFrame, ApiFrame } from '#contracts/servers/agent-protocol.ts';

/** The link to an agent that was admitted. */
export interface TaskLink {
  readonly facts: {
    /** Of the agent's process. */
    readonly journal: string;
    readonly mode: 'websocket' | 'polling';
  };
  /** False while nothing can be handed over. */
  readonly isReady: boolean;
  readonly isOpen: boolean;
  send(frame: ApiFrame): void;
}

const taskFrameTypes = ['machine', 'process', 'tasks-accepted', 'task-progress', 'task-result'] as const;
export type TaskFrame = Extract<AgentFrame, { type: (typeof taskFrameTypes)[number] }>;

export const isTaskFrame = (frame: AgentFrame): frame is TaskFrame =>
  (taskFrameTypes as readonly string[]).includes(frame.type);
