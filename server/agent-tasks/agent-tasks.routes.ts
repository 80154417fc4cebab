import type { AgentTaskKind } from '#contracts/agent-tasks.ts';
import { agentTasksHttp } from '#contracts/agent-tasks-http.ts';
import type { Permission } from '#contracts/permissions.ts';
import { Problem } from '#runtime/problem.ts';
import { type Actor, may } from '../access/actor.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import type { AgentTasks } from './agent-tasks.ts';

/** What cancelling a task needs where that is not `servers.write`. */
const permissionOf: { readonly [Kind in AgentTaskKind]?: Permission } = {
  'console-history': 'console.read',
  'list-saves': 'servers.read',
};

const demand = (actor: Actor, permission: Permission, serverId: string) => {
  if (!may(actor, permission, serverId))
    throw new Problem('FORBIDDEN', { detail: `This needs the permission ${permission} for this server.` });
};

export const bindAgentTasksRoutes = (routes: ApiRoutes, tasks: AgentTasks): void => {
  routes.on(agentTasksHttp.machine, ({ params: { serverId } }, { actor }) => {
    demand(actor, 'servers.read', serverId);
    return tasks.machineOf(serverId);
  });
  routes.on(agentTasksHttp.list, ({ params: { serverId }, query }, { actor }) => {
    demand(actor, 'servers.read', serverId);
    return tasks.page(serverId, query);
  });
  routes.on(agentTasksHttp.cancel, async ({ params: { serverId, id } }, { actor }) => {
    demand(actor, 'servers.read', serverId);
    const task = await tasks.get(serverId, id);
    if (!task) throw new Problem('NOT_FOUND');
    demand(actor, permissionOf[task.task.kind] ?? 'servers.write', serverId);
    const cancelled = await tasks.cancel(serverId, id);
    if (!cancelled) throw new Problem('NOT_FOUND');
    return cancelled;
  });
};
