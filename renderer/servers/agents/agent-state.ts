import type { Agent } from '#contracts/servers/agents.ts';
import type { Tone } from '../../kit/design/state-label.tsx';

/**
 * - `connected`: by one of its two ways
 * - `silent`: it was connected, and no longer reports
 * - `refused`: an agent has tried since and was not let in
 * - `away`: known, but not connected
 * - `none`: there has never been one
 */
type AgentState = 'connected' | 'silent' | 'refused' | 'away' | 'none';

export const agentState = (agent: Agent): AgentState => {
  const { mode, stale, lastRefusal, keyFingerprint } = agent;
  if (mode !== null && !stale) return 'connected';
  if (lastRefusal) return 'refused';
  if (stale) return 'silent';
  return keyFingerprint === null ? 'none' : 'away';
};

export const agentTones = {
  connected: 'ok',
  silent: 'bad',
  refused: 'bad',
  away: 'bad',
  none: 'idle',
} as const satisfies Record<AgentState, Tone>;

/** Seconds that a clock may be off before the panel warns. */
const bearableSkew = 30;

type AgentWarning = 'plain' | 'clock' | 'waiting' | 'update';

const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

const isUnderWay = ({ step }: NonNullable<Agent['renewal']>) => step === 'fetching' || step === 'trying';

/** Problems of an agent that may well be connected. */
export const agentWarnings = (agent: Agent): readonly AgentWarning[] => {
  const { encrypted, address, clockSkewSeconds, waitingCommands, mode } = agent;
  const warnings: AgentWarning[] = [];
  // Traffic within one machine crosses no network.
  if (encrypted === false && !loopback.test(address ?? '')) warnings.push('plain');
  if (clockSkewSeconds !== null && Math.abs(clockSkewSeconds) > bearableSkew) warnings.push('clock');
  if (mode === null && waitingCommands > 0) warnings.push('waiting');
  if (agent.renewal && !isUnderWay(agent.renewal)) warnings.push('update');
  return warnings;
};
