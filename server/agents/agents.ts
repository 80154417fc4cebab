import type { AgentsHealth, ComponentHealth } from '#contracts/health.ts';

export interface Agents {
  /** One entry per game server. */
  readings(): AgentsHealth['agents'];
}

/** There are no game servers to have agents yet. */
export const createAgents = (): Agents => ({ readings: () => [] });

/** A server whose agent is silent is one server's trouble, not the stack's. */
export const agentsHealthOf = (agents: AgentsHealth['agents']): ComponentHealth => {
  const stale = agents.filter((agent) => agent.stale).map(({ serverName }) => serverName);
  if (stale.length > 0) return { status: 'degraded', detail: `No word from: ${stale.join(', ')}.` };
  return { status: 'ok', detail: agents.length === 0 ? 'There are no game servers yet.' : null };
};
