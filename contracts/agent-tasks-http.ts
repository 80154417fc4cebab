import * as z from 'zod';
import { agentTask, machineFacts, processReport, taskProgress, taskResult } from './agent-tasks.ts';
import { recordId } from './clusters.ts';
import { endpoint } from './http.ts';
import { pageOf, pageQuery } from './paging.ts';

/**
 * - `waiting`: for the agent
 * - `sent`: the agent has not said yet that it has it
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
    /** Not begun by then, it is not run any more. */
    expiresAt: z.iso.datetime(),
    /** Its end was asked for; the result may still come. */
    cancelled: z.boolean(),
    doneAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AgentTask' });
export type AgentTaskRow = z.infer<typeof agentTaskRow>;

/** What an agent last told of its machine. */
export const agentMachine = z.object({
  /** Null: it never told of it, as agents without tasks do not. */
  machine: z.object({ at: z.iso.datetime(), facts: machineFacts }).nullable(),
  process: z
    .object({
      /** When the report came: its ages and durations count back from then. */
      at: z.iso.datetime(),
      /** False: the agent is away, and how the process is doing is not known. */
      isCurrent: z.boolean(),
      report: processReport,
    })
    .nullable(),
  /** The agent is there and takes tasks. */
  takesTasks: z.boolean(),
});
export type AgentMachine = z.infer<typeof agentMachine>;

const ofServer = z.object({ serverId: recordId });
const ofTask = z.object({ serverId: recordId, id: z.string().min(1).max(64) });

export const agentTasksHttp = {
  machine: endpoint({
    method: 'GET',
    path: '/api/agents/:serverId/machine',
    summary: "What a server's Game Agent last told of its machine and of the game's process",
    access: 'servers.read',
    params: ofServer,
    response: agentMachine,
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/agents/:serverId/tasks',
    summary: "The tasks of a server's Game Agent, newest first",
    access: 'servers.read',
    params: ofServer,
    query: pageQuery,
    response: pageOf(agentTaskRow),
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/agents/:serverId/tasks/:id/cancel',
    summary: 'Cancel a task: what waits is not begun, what runs ends where it safely can',
    access: 'servers.read',
    params: ofTask,
    response: agentTaskRow,
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'CROSS_ORIGIN', 'NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
} as const;
