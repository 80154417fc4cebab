import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { agentTiming } from '#contracts/servers/agent-protocol.ts';
import type { GameServerStatus } from '#contracts/servers/game-servers.ts';
import type { LinkState } from '#games/link/reconnecting-console.ts';
import { agentAwayDetail, noWayDetail } from '../../kernel/commands/console-router.ts';
import type { AgentReport } from '../../kernel/commands/routes.ts';

/** How often a directly connected game is asked who is online, in seconds. */
const directPollingSeconds = 30;
/** One answer may be lost, and the next one late. */
const intervalsOfProof = 2.5;

export interface StatusFacts {
  readonly nowMs: number;
  /** Null when no agent has reported. */
  readonly agent: AgentReport | null;
  readonly isAgentPresent: boolean;
  readonly isAgentKnown: boolean;
  /** Null when there is no direct connection. */
  readonly link: {
    readonly state: LinkState;
    readonly answeredAt: Date | null;
    /** The last command got no answer. */
    readonly isSilent: boolean;
  } | null;
  /** Why its list of players could not be read, with the text received; null when it could. */
  readonly listComplaint?: string | null;
  /** A direct connection is configured, open or not. */
  readonly hasAddress: boolean;
}

export type DerivedStatus = Pick<GameServerStatus, 'state' | 'detail' | 'outcome' | 'via' | 'agentMode'> & {
  readonly answeredAtMs: number | null;
};

/** The status of a server, from its current proof. */
export const deriveStatus = (facts: StatusFacts): DerivedStatus => {
  if (facts.isAgentPresent && facts.agent) return byAgent(facts.agent, facts.nowMs);
  if (facts.link) return byLink(facts.link, facts);
  const nothing = { outcome: null, via: null, agentMode: null, answeredAtMs: null };
  if (facts.hasAddress) return { ...nothing, state: 'unknown', detail: consoleReasons['status-connecting'] };
  // Without its agent, no one sees what the game does.
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
  return { ...said, state: 'unknown', detail: consoleReasons['status-agent-silent'] };
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
      detail: consoleReasons['status-silent'],
    };
  if (isProof(answeredAtMs, nowMs, directPollingSeconds))
    return { ...seen, state: 'online', outcome: 'answered', detail: listComplaint };
  const detail = consoleReasons[state.status === 'ready' ? 'status-not-asked' : 'status-connecting'];
  return { ...seen, state: 'unknown', outcome: null, detail };
};

/** A clock that was set back makes nothing older. */
const isProof = (seenMs: number | null, nowMs: number, intervalSeconds: number): boolean =>
  seenMs !== null && nowMs - seenMs <= intervalsOfProof * intervalSeconds * 1000;
