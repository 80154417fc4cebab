import type { AgentRefusal } from '#contracts/servers/agent-connection.ts';
import {
  type AgentFrame,
  type ApiFrame,
  agentCapabilities,
  agentProtocolVersion,
  type GameEvent,
  type HelloFrame,
} from '#contracts/servers/agent-protocol.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import { newNonce, proofOfApi } from './peer-proof.ts';

/** How the peer behaves; may be changed at any time. */
export interface PeerBehaviour {
  secret: string;
  /** The secret for the API's own proof. */
  ownSecret: string;
  upgrades: 'welcome' | 'refuse' | 'drop';
  /** Answers every request and upgrade with this problem. */
  problem: { readonly status: number; readonly code: string } | null;
  /** Refuses every hello. */
  refuse: { readonly code: AgentRefusal; readonly retryAfterSeconds: number | null } | null;
  acknowledges: boolean;
  /** Confirms that results are written down. */
  receives: boolean;
  heartbeatSeconds: number;
  staleSeconds: number;
  holdMs: number;
  serverName: string;
  capabilities: readonly string[];
  nextNonce: () => string;
}

/** Friendly, and quicker than a real one. */
export const usualBehaviour = (secret: string): PeerBehaviour => ({
  secret,
  ownSecret: secret,
  upgrades: 'welcome',
  problem: null,
  refuse: null,
  acknowledges: true,
  receives: true,
  heartbeatSeconds: 0.1,
  staleSeconds: 5,
  holdMs: 1000,
  serverName: 'Test server',
  capabilities: agentCapabilities,
  nextNonce: newNonce,
});

export interface Heard {
  readonly mode: 'websocket' | 'polling';
  readonly frame: AgentFrame;
}

/** What the peer has received and has to send, in either mode. */
export interface PeerState {
  readonly behaviour: PeerBehaviour;
  readonly heard: Heard[];
  readonly hellos: (HelloFrame & { readonly mode: Heard['mode'] })[];
  readonly results: Map<string, CommandResult[]>;
  readonly accepted: Set<string>;
  readonly events: GameEvent[];
  /** Frames that violate the protocol. */
  readonly faults: string[];
  /** Sent until it is accepted or has a result. */
  command(id: string, command: string, options?: { timeoutMs?: number; expiresInMs?: number }): void;
  /** Frames sent at the beginning of a connection, after the welcome. */
  waiting(): ApiFrame[];
  welcome(hello: HelloFrame): ApiFrame;
  /** @returns the answers */
  hear(mode: Heard['mode'], frame: AgentFrame): ApiFrame[];
}

const v = agentProtocolVersion;

export const createPeerState = (behaviour: PeerBehaviour, tell: (frame: ApiFrame) => void): PeerState => {
  const commands = new Map<string, ApiFrame>();
  let lastEvent = 0;
  const state: PeerState = {
    behaviour,
    heard: [],
    hellos: [],
    results: new Map(),
    accepted: new Set(),
    events: [],
    faults: [],
    command(id, command, { timeoutMs = 5000, expiresInMs = 60_000 } = {}) {
      const frame: ApiFrame = { v, type: 'command', id, command, timeoutMs, expiresInMs };
      commands.set(id, frame);
      tell(frame);
    },
    waiting: () => [...commands.values()],
    welcome: (hello) => ({
      v,
      type: 'welcome',
      proof: proofOfApi(hello, behaviour.ownSecret),
      serverName: behaviour.serverName,
      heartbeatSeconds: behaviour.heartbeatSeconds,
      staleSeconds: behaviour.staleSeconds,
      capabilities: [...behaviour.capabilities],
    }),
    hear(mode, frame) {
      state.heard.push({ mode, frame });
      switch (frame.type) {
        case 'heartbeat':
          return behaviour.acknowledges
            ? [{ v, type: 'ack', heartbeat: frame.number, events: lastEvent || null }]
            : [];
        case 'accepted':
          for (const id of frame.commandIds) {
            state.accepted.add(id);
            commands.delete(id);
          }
          return [];
        case 'result': {
          commands.delete(frame.commandId);
          state.results.set(frame.commandId, [...(state.results.get(frame.commandId) ?? []), frame.result]);
          return behaviour.receives ? [{ v, type: 'received', commandIds: [frame.commandId] }] : [];
        }
        case 'events':
          for (const event of frame.events) if (event.number > lastEvent) state.events.push(event);
          lastEvent = Math.max(lastEvent, frame.events.at(-1)?.number ?? 0);
          return behaviour.acknowledges ? [{ v, type: 'ack', heartbeat: null, events: lastEvent }] : [];
        default:
          return [];
      }
    },
  };
  return state;
};
