import type { AgentsHealth, ComponentHealth } from '#contracts/health.ts';
import { healthReasons } from '#contracts/health-reasons.ts';

export interface Agents {
  /** One entry per game server. */
  readings(): AgentsHealth['agents'];
}

/** How many servers are named; an operator of hundreds looks at the list. */
const mostNamed = 3;

/** A silent agent is a problem of one server, not of the stack. */
export const agentsHealthOf = (agents: AgentsHealth['agents']): ComponentHealth => {
  const stale = agents.filter((agent) => agent.stale).map(({ serverName }) => serverName);
  if (stale.length === 0)
    return { status: 'ok', detail: agents.length === 0 ? healthReasons['no-servers-yet'] : null };
  const named = stale.slice(0, mostNamed).join(', ');
  const more = stale.length - mostNamed;
  const detail =
    more > 0 ? healthReasons['agents-silent-more'](named, more) : healthReasons['agents-silent'](named);
  return { status: 'degraded', detail };
};
