import { agentTiming } from '#contracts/agent-protocol.ts';
import type { GameServerStatus } from '#contracts/game-servers.ts';
import type { LinkState } from '#games/link/reconnecting-console.ts';
import type { AgentReport } from '../console-router/agent-route.ts';
import { agentAwayDetail, noWayDetail } from '../console-router/console-router.ts';

/** How often a game that is reached directly is asked who is there, in seconds. */
export const directPollingSeconds = 30;
/** One answer may be lost, and the next one late. */
const intervalsOfProof = 2.5;

export interface StatusFacts {
  readonly nowMs: number;
  /** Null when nothing was heard of an agent. */
  readonly agent: AgentReport | null;
  readonly isAgentPresent: boolean;
  readonly isAgentKnown: boolean;
  /** Null when there is no direct way. */
  readonly link: {
    readonly state: LinkState;
    readonly answeredAt: Date | null;
    /** The last command got no answer. */
    readonly isSilent: boolean;
  } | null;
  /** Why its list of players could not be read, and what stands in its place; null when it could. */
  readonly listComplaint?: string | null;
  /** One is configured, whether it is open at this moment or not. */
  readonly hasAddress: boolean;
}

export type DerivedStatus = Pick<GameServerStatus, 'state' | 'detail' | 'outcome' | 'via' | 'agentMode'> & {
  readonly answeredAtMs: number | null;
};

/** How a server is doing, from what proves it at this moment. */
export const deriveStatus = (facts: StatusFacts): DerivedStatus => {
  if (facts.isAgentPresent && facts.agent) return byAgent(facts.agent, facts.nowMs);
  if (facts.link) return byLink(facts.link, facts);
  const nothing = { outcome: null, via: null, agentMode: null, answeredAtMs: null };
  if (facts.hasAddress) return { ...nothing, state: 'unknown', detail: 'Connecting.' };
  // What the game does without its agent nobody sees.
  if (facts.isAgentKnown)
    return { ...nothing, state: 'unknown', outcome: 'agent away', detail: agentAwayDetail };
  return { ...nothing, state: 'unknown', detail: noWayDetail };
};

const byAgent = ({ mode, seenAtMs, state, detail }: AgentReport, nowMs: number): DerivedStatus => {
  const heartbeatSeconds =
    mode === 'polling' ? agentTiming.pollingHeartbeatSeconds : agentTiming.websocketHeartbeatSeconds;
  const said = { via: 'agent', outcome: null, agentMode: mode, answeredAtMs: null } as const;
  if (state !== 'online') return { ...said, state: state ?? 'unknown', detail };
  if (isProof(seenAtMs, nowMs, heartbeatSeconds))
    return { ...said, state: 'online', detail, answeredAtMs: seenAtMs };
  return { ...said, state: 'unknown', detail: 'The Game Agent has not been heard of for a while.' };
};

const byLink = (
  { state, answeredAt, isSilent }: NonNullable<StatusFacts['link']>,
  { nowMs, listComplaint = null }: Pick<StatusFacts, 'nowMs' | 'listComplaint'>,
): DerivedStatus => {
  const answeredAtMs = answeredAt?.getTime() ?? null;
  const seen = { via: 'direct', agentMode: null, answeredAtMs } as const;
  if (state.failure) {
    const { outcome, detail } = state.failure;
    return { ...seen, state: outcome === 'not ready' ? 'starting' : 'offline', outcome, detail };
  }
  if (isSilent)
    return {
      ...seen,
      state: 'offline',
      outcome: 'timeout',
      detail: 'The game did not answer the last command.',
    };
  if (isProof(answeredAtMs, nowMs, directPollingSeconds))
    return { ...seen, state: 'online', outcome: 'answered', detail: listComplaint };
  const detail = state.status === 'ready' ? 'The game has not been asked for a while.' : 'Connecting.';
  return { ...seen, state: 'unknown', outcome: null, detail };
};

/** A clock that was set back makes nothing older. */
const isProof = (seenMs: number | null, nowMs: number, intervalSeconds: number): boolean =>
  seenMs !== null && nowMs - seenMs <= intervalsOfProof * intervalSeconds * 1000;
