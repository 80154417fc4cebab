import type { HeartbeatFrame } from '#contracts/agent-protocol.ts';
import type { AgentLink, AgentMode, AgentRefused } from './agent-link.ts';
import type { AgentProof } from './agent-proof.ts';

export interface AgentPin {
  readonly key: string;
  /** ISO 8601. */
  readonly pinnedAt: string;
}

/** The place of a server's one agent, taken or not. Times ending in `Ms` are on a clock that never goes back. */
export interface AgentSession {
  readonly serverId: string;
  pin: AgentPin | null;
  /** By the agent's own secret; null: it proves itself by the shared one. */
  proof: AgentProof | null;
  link: AgentLink | null;
  /** Since when nothing was heard. */
  heardMs: number;
  /** By the wall clock, for people: Unix time in milliseconds. */
  seenAtMs: number | null;
  stale: boolean;
  /** Whether its silence is still news. */
  isStaleNews: boolean;
  /** We have sent it away ourselves: its absence and its return are no news. */
  isQuiet: boolean;
  mode: AgentMode;
  version: string;
  address: string;
  /** What it says of the game. */
  state: HeartbeatFrame['state'] | null;
  detail: string | null;
  journal: string;
  /** The number of the last event of this journal that is written down. */
  lastEvent: number;
  /** Its memory of commands, by the name it last gave it; null: it never did. */
  commandJournal: string | null;
  /** Another process of the agent came and has not said yet whether it remembers; until then it gets no commands. */
  isMemoryDoubted: boolean;
  /** Not written down yet: when it was seen, and how. */
  isDirty: boolean;
  watchUntilMs: number;
  /** The key that was replaced last, and until when it is kept out. */
  replaced: { readonly key: string; readonly untilMs: number } | null;
  lastRefusal: (AgentRefused & { readonly at: Date; readonly address: string }) | null;
  /** Events are written down one batch after another. */
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
