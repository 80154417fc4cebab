import { agentTiming } from '#contracts/servers/agent-protocol.ts';
import { jittered } from '#runtime/back-off.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';

/** The time limits of a connection, in milliseconds. */
export interface ConnectionTiming {
  /** @param tries failed tries in a row */
  reconnectMs(tries: number): number;
  /** While polling, the time until the next try by WebSocket. */
  websocketRetryMs(): number;
  /** A random wait between the two. */
  slowMs(leastMs: number, mostMs: number): number;
  /** For TCP, TLS and the upgrade, and for an answer to a request that is not held. */
  readonly answerMs: number;
  /** For the challenge, and for the welcome. */
  readonly loginMs: number;
  /** A held request is answered within this time, or never. */
  readonly heldMs: number;
}

const websocketRetryMs = 5 * 60_000;
const jitter = 0.2;

export const connectionTiming: ConnectionTiming = {
  reconnectMs: (tries) => reconnectDelayMs(tries, Math.random()),
  websocketRetryMs: () => jittered(websocketRetryMs, jitter, Math.random()),
  slowMs: (leastMs, mostMs) => leastMs + Math.random() * (mostMs - leastMs),
  answerMs: 15_000,
  loginMs: agentTiming.helloSeconds * 1000,
  heldMs: (agentTiming.holdSeconds + 20) * 1000,
};
