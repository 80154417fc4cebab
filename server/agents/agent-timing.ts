import { agentTiming } from '#contracts/agent-protocol.ts';
import type { AgentMode } from './agent-link.ts';

/** In milliseconds; a test may shorten them. */
export interface AgentTiming {
  readonly heartbeat: Readonly<Record<AgentMode, number>>;
  /** An agent without a message for this long is stale. */
  readonly stale: Readonly<Record<AgentMode, number>>;
  readonly hello: number;
  readonly hold: number;
  readonly nonceLife: number;
  /** How long to wait for a result, beyond what the command itself may take. */
  readonly grace: number;
  /** How long a replaced agent is kept out, so that the new one comes first. */
  readonly replacedRest: number;
  readonly sweep: number;
  /** How often the last-seen values are written. */
  readonly flush: number;
  /** Between two tries at what the database did not take. */
  readonly retry: number;
  /** At most one log line, and one event, about refusals of the same kind. */
  readonly refusalNews: number;
}

const heartbeat = {
  websocket: agentTiming.websocketHeartbeatSeconds * 1000,
  polling: agentTiming.pollingHeartbeatSeconds * 1000,
};

export const usualTiming: AgentTiming = {
  heartbeat,
  stale: {
    websocket: heartbeat.websocket * agentTiming.staleAfterHeartbeats,
    polling: heartbeat.polling * agentTiming.staleAfterHeartbeats,
  },
  hello: agentTiming.helloSeconds * 1000,
  hold: agentTiming.holdSeconds * 1000,
  nonceLife: agentTiming.nonceSeconds * 1000,
  grace: 5000,
  replacedRest: 120_000,
  sweep: 250,
  flush: 60_000,
  retry: 1000,
  refusalNews: 60_000,
};
