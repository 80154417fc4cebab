import { healthHttp } from '#contracts/health.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { type Agents, agentsHealthOf } from './agents.ts';

export const bindAgentsRoutes = (routes: ApiRoutes, agents: Agents): void => {
  routes.on(healthHttp.agents, () => {
    const readings = agents.readings();
    return { status: agentsHealthOf(readings).status, agents: readings };
  });
  routes.on(healthHttp.gameAgent, () => {
    const readings = agents.readings();
    const stale = readings.filter((agent) => agent.stale).length;
    const connected = readings.filter((agent) => !agent.stale && agent.lastSeenAt !== null).length;
    return { connected, stale, agents: readings };
  });
};
