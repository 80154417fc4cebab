import type { AgentTaskKind } from '#contracts/agent-tasks.ts';
import { type AgentMachine, type AgentTaskRow, agentTasksHttp } from '#contracts/agent-tasks-http.ts';
import type { Permission } from '#contracts/permissions.ts';
import { Problem } from '#runtime/problem.ts';
import { type Actor, may } from '../access/actor.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import type { AgentTasks } from './agent-tasks.ts';

/** What cancelling a task needs where that is not `servers.write`. */
const permissionOf: { readonly [Kind in AgentTaskKind]?: Permission } = {
  power: 'servers.power',
  'console-history': 'console.read',
  'list-saves': 'servers.read',
};

const neededFor = ({ task }: AgentTaskRow): Permission => permissionOf[task.kind] ?? 'servers.write';
const mayCancel = (actor: Actor, row: AgentTaskRow): boolean => may(actor, neededFor(row), row.serverId);

/** What a task has found is for those who may ask for it. */
const withoutFindings = (row: AgentTaskRow): AgentTaskRow => ({
  ...row,
  task: row.task.kind === 'console-history' ? { ...row.task, search: null } : row.task,
  result: row.result && { ...row.result, value: null },
});

/** The game's last lines are for those who read its console, its machine for those who act on the server or its agent. */
const asSeenBy = (
  actor: Actor,
  serverId: string,
  { machine, process, takesTasks }: AgentMachine,
): AgentMachine => {
  const seesMachine = (['servers.power', 'servers.write', 'agents.write'] as const).some((name) =>
    may(actor, name, serverId),
  );
  const crash = process?.report.lastCrash;
  const hidesLines = process && crash && !may(actor, 'console.read', serverId);
  return {
    machine: seesMachine ? machine : null,
    process: hidesLines
      ? { ...process, report: { ...process.report, lastCrash: { ...crash, lines: [] } } }
      : process,
    takesTasks,
  };
};

const demand = (actor: Actor, permission: Permission, serverId: string) => {
  if (!may(actor, permission, serverId))
    throw new Problem('FORBIDDEN', { detail: `This needs the permission ${permission} for this server.` });
};

export const bindAgentTasksRoutes = (routes: ApiRoutes, tasks: AgentTasks): void => {
  routes.on(agentTasksHttp.machine, ({ params: { serverId } }, { actor }) => {
    demand(actor, 'servers.read', serverId);
    return asSeenBy(actor, serverId, tasks.machineOf(serverId));
  });
  routes.on(agentTasksHttp.list, async ({ params: { serverId }, query }, { actor }) => {
    demand(actor, 'servers.read', serverId);
    const { rows, nextCursor } = await tasks.page(serverId, query);
    return { rows: rows.map((row) => (mayCancel(actor, row) ? row : withoutFindings(row))), nextCursor };
  });
  routes.on(agentTasksHttp.cancel, async ({ params: { serverId, id } }, { actor, address }) => {
    demand(actor, 'servers.read', serverId);
    const task = await tasks.get(serverId, id);
    if (!task) throw new Problem('NOT_FOUND');
    demand(actor, neededFor(task), serverId);
    const cancelled = await tasks.cancel(serverId, id, { actor, address });
    if (!cancelled) throw new Problem('NOT_FOUND');
    return cancelled;
  });
};
