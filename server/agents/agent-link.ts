import type { AgentRefusal, agentModes } from '#contracts/agent-connection.ts';
import type { ApiFrame } from '#contracts/agent-protocol.ts';

export type AgentMode = (typeof agentModes)[number];

/** An expected "no" to an agent. */
export interface AgentRefused {
  readonly code: AgentRefusal;
  /** For people; repeats nothing that was sent. */
  readonly detail: string;
  readonly retryAfterSeconds: number | null;
}

/** Who is at the other end, as found when it was let in. */
export interface LinkFacts {
  readonly mode: AgentMode;
  readonly address: string;
  readonly isEncrypted: boolean;
  readonly version: string;
  readonly journal: string;
  /** Seconds. */
  readonly clockSkew: number;
}

/** The link to an agent that was let in: a WebSocket, or successive polls. */
export interface AgentLink extends LinkFacts {
  /** ISO 8601, ready to be shown: thousands are shown each second. */
  readonly connectedAt: string;
  /** False while nothing can be handed over: no poll waits. */
  readonly isReady: boolean;
  readonly isOpen: boolean;
  send(frame: ApiFrame): void;
  /** Ends it; `refused` says why, when the agent is not to come back like this. */
  end(code: number, reason: string, refused?: AgentRefused): void;
}
