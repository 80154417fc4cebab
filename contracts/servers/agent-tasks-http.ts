import * as z from 'zod';
import { endpoint, readProblems } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { agentTask, machineFacts, processReport, taskProgress, taskResult } from './agent-tasks.ts';
import { recordId } from './clusters.ts';

/**
 * - `waiting`: for the agent
 * - `sent`: the agent has not yet confirmed it
 * - `accepted`: the agent has written it down
 */
export const taskStates = ['waiting', 'sent', 'accepted', 'running', 'done'] as const;

export const agentTaskRow = z
  .object({
    id: z.string(),
    serverId: z.string(),
    task: agentTask,
    state: z.enum(taskStates),
    progress: taskProgress.nullable(),
    /** Null until it is done. */
    result: taskResult.nullable(),
    createdBy: z.string(),
    createdByName: z.string(),
    createdAt: z.iso.datetime(),
    /** If it has not begun by then, it is dropped. */
    expiresAt: z.iso.datetime(),
    /** Cancelling was requested; the result may still arrive. */
    cancelled: z.boolean(),
    doneAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AgentTask' });
export type AgentTaskRow = z.infer<typeof agentTaskRow>;

/** What an agent last reported about its machine. */
export const agentMachine = z.object({
  /** Null: it never reported, as agents without tasks do not. */
  machine: z.object({ at: z.iso.datetime(), facts: machineFacts }).nullable(),
  process: z
    .object({
      /** When the report arrived: its ages and durations count back from then. */
      at: z.iso.datetime(),
      /** False: the agent is not connected, and the state of the process is unknown. */
      isCurrent: z.boolean(),
      report: processReport,
    })
    .nullable(),
  /** The agent is connected and accepts tasks. */
  takesTasks: z.boolean(),
});
export type AgentMachine = z.infer<typeof agentMachine>;

const ofServer = z.object({ serverId: recordId });
const ofTask = z.object({ serverId: recordId, id: z.string().min(1).max(64) });

export const agentTasksHttp = {
  machine: endpoint({
    method: 'GET',
    path: '/api/agents/:serverId/machine',
    summary: "Return what a server's Game Agent last reported about its machine and the game's process",
    access: 'servers.read',
    params: ofServer,
    response: agentMachine,
    problems: readProblems,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/agents/:serverId/tasks',
    summary: "List the tasks of a server's Game Agent, newest first",
    access: 'servers.read',
    params: ofServer,
    query: pageQuery,
    response: pageOf(agentTaskRow),
    problems: readProblems,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/agents/:serverId/tasks/:id/cancel',
    summary: 'Cancel a task: a waiting task does not start, a running one stops where it safely can',
    access: 'servers.read',
    params: ofTask,
    response: agentTaskRow,
  }),
} as const;
