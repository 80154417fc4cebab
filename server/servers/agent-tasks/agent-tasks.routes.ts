import type { Permission } from '#contracts/identity/permissions.ts';
import type { AgentTask, AgentTaskKind } from '#contracts/servers/agent-tasks.ts';
import { type AgentMachine, type AgentTaskRow, agentTasksHttp } from '#contracts/servers/agent-tasks-http.ts';
import { Problem } from '#runtime/problem.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { AgentTasks } from '../agent-tasks.ts';

/** The permissions to see a task's findings and to cancel it, if not `servers.write`. */
const permissionsOf: {
  readonly [Kind in AgentTaskKind]?: { readonly sees: Permission; readonly cancels: Permission };
} = {
  'survivor-number': { sees: 'players.read', cancels: 'servers.write' },
  power: { sees: 'servers.power', cancels: 'servers.power' },
  'console-history': { sees: 'console.read', cancels: 'console.read' },
  'list-saves': { sees: 'saves.read', cancels: 'saves.read' },
  'backup-saves': { sees: 'saves.read', cancels: 'saves.write' },
  'restore-saves': { sees: 'saves.read', cancels: 'saves.write' },
  'undo-restore': { sees: 'saves.read', cancels: 'saves.write' },
  'confirm-restore': { sees: 'saves.read', cancels: 'saves.write' },
  'schedule-saves': { sees: 'saves.read', cancels: 'saves.write' },
  'list-mods': { sees: 'mods.read', cancels: 'mods.read' },
  'inspect-mod': { sees: 'mods.write', cancels: 'mods.write' },
  // Its result holds lines of the game, and its task addresses: the job shows what may be seen.
  'change-mods': { sees: 'console.read', cancels: 'mods.write' },
};
/** Each is an act that has its own rules for when it can be cancelled, and by whom. */
const acts: ReadonlySet<AgentTaskKind> = new Set([
  'power',
  'backup-saves',
  'restore-saves',
  'undo-restore',
  'confirm-restore',
  'change-mods',
]);
const others = { sees: 'servers.write', cancels: 'servers.write' } as const;
const neededFor = ({ task }: AgentTaskRow) => permissionsOf[task.kind] ?? others;

/** A task's findings are for those who may ask for it. */
const rowAsSeenBy = (actor: Actor, row: AgentTaskRow): AgentTaskRow => {
  const { sees } = neededFor(row);
  const { task, result } = row;
  const mayToo = task.kind === 'change-mods' ? may(actor, 'mods.read', row.serverId) : true;
  if (mayToo && may(actor, sees, row.serverId)) return row;
  return {
    ...row,
    task: withoutSought(task),
    // The detail of how a task on saves ended names files on the game's machine, as does a search for a player in them.
    result: result && { ...result, value: null, ...(namesFiles(task) && { detail: null }) },
  };
};

/** Addresses of files may carry their own keys. */
const withoutSought = (task: AgentTask): AgentTask => {
  switch (task.kind) {
    case 'console-history':
      return { ...task, search: null };
    case 'survivor-number':
      return { ...task, platformId: '…' };
    case 'inspect-mod':
      return { ...task, file: { ...task.file, name: 'file', from: { kind: 'api', id: 'file' } } };
    case 'change-mods':
      return { ...task, change: { ...task.change, put: [], remove: [], adopt: [] } };
    default:
      return task;
  }
};
const namesFiles = ({ kind }: AgentTask): boolean =>
  kind === 'survivor-number' || permissionsOf[kind]?.sees === 'saves.read';

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
    return { rows: rows.map((row) => rowAsSeenBy(actor, row)), nextCursor };
  });
  routes.on(agentTasksHttp.cancel, async ({ params: { serverId, id } }, { actor, address }) => {
    demand(actor, 'servers.read', serverId);
    const task = await tasks.get(serverId, id);
    if (!task) throw new Problem('NOT_FOUND');
    demand(actor, neededFor(task).cancels, serverId);
    if (acts.has(task.task.kind))
      throw new Problem('FORBIDDEN', { detail: 'This is an act: cancel it where it was asked for.' });
    const cancelled = await tasks.cancel(serverId, id, { actor, address });
    if (!cancelled) throw new Problem('NOT_FOUND');
    return cancelled;
  });
};
