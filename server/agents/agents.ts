import type { AgentsHealth, ComponentHealth } from '#contracts/health.ts';

export interface Agents {
  /** One entry per game server. */
  readings(): AgentsHealth['agents'];
}

/** So many servers are named; an operator of hundreds looks at the list. */
const mostNamed = 3;

/** A server whose agent is silent is one server's trouble, not the stack's. */
export const agentsHealthOf = (agents: AgentsHealth['agents']): ComponentHealth => {
  const stale = agents.filter((agent) => agent.stale).map(({ serverName }) => serverName);
  if (stale.length === 0)
    return { status: 'ok', detail: agents.length === 0 ? 'There are no game servers yet.' : null };
  const named = stale.slice(0, mostNamed).join(', ');
  const more = stale.length > mostNamed ? ` and ${stale.length - mostNamed} more` : '';
  return { status: 'degraded', detail: `No word from: ${named}${more}.` };
};
