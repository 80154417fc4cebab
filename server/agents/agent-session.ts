import type { HeartbeatFrame } from '#contracts/agent-protocol.ts';
import type { AgentLink, AgentMode, AgentRefused } from './agent-link.ts';
import type { AgentProof } from './agent-proof.ts';

export interface AgentPin {
  readonly key: string;
  /** ISO 8601. */
  readonly pinnedAt: string;
}

/** The place of a server's one agent, taken or not. Times ending in `Ms` are on a monotonic clock. */
export interface AgentSession {
  readonly serverId: string;
  pin: AgentPin | null;
  /** By the agent's own secret; null: it proves itself by the shared one. */
  proof: AgentProof | null;
  link: AgentLink | null;
  /** When something was last heard. */
  heardMs: number;
  /** By the wall clock, for people: Unix time in milliseconds. */
  seenAtMs: number | null;
  stale: boolean;
  /** Whether its silence is still news. */
  isStaleNews: boolean;
  /** The API sent it away itself: its absence and its return are not news. */
  isQuiet: boolean;
  mode: AgentMode;
  version: string;
  address: string;
  /** What it says about the game. */
  state: HeartbeatFrame['state'] | null;
  detail: string | null;
  journal: string;
  /** The number of this journal's last event that is written. */
  lastEvent: number;
  /** Its memory of commands, by the name that the agent last gave it; null: it never did. */
  commandJournal: string | null;
  /** Another process of the agent connected and has not said yet whether it remembers; until then it gets no commands. */
  isMemoryDoubted: boolean;
  /** When and how it was seen is not written yet. */
  isDirty: boolean;
  watchUntilMs: number;
  /** The key that was replaced last, and until when it is kept out. */
  replaced: { readonly key: string; readonly untilMs: number } | null;
  lastRefusal: (AgentRefused & { readonly at: Date; readonly address: string }) | null;
  /** Events are written one batch after another. */
  writing: Promise<void>;
}

const settled = Promise.resolve();

export const newAgentSession = (serverId: string, nowMs: number): AgentSession => ({
  serverId,
  pin: null,
  proof: null,
  link: null,
  heardMs: nowMs,
  seenAtMs: null,
  stale: false,
  isStaleNews: true,
  isQuiet: false,
  mode: 'websocket',
  version: '',
  address: '',
  state: null,
  detail: null,
  journal: '',
  lastEvent: 0,
  commandJournal: null,
  isMemoryDoubted: false,
  isDirty: false,
  watchUntilMs: 0,
  replaced: null,
  lastRefusal: null,
  writing: settled,
});
