import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { programFault } from '../kernel/program-faults.ts';
import {
  crashReport,
  longestCountdown,
  machineFacts,
  powerAction,
  processReport,
  taskOutcomes,
  taskProgress,
} from './agent-tasks.ts';
import { recordId } from './clusters.ts';

/** A requested action on a game's process. */
const powerAct = z
  .object({
    id: z.string(),
    action: powerAction,
    /** How long it is announced in the game before the stop; 0: not at all. */
    countdownSeconds: z.int().nonnegative(),
    /** The person who asked, for display. */
    byName: z.string(),
    requestedAt: z.iso.datetime(),
    /** What is happening now; null before the agent reports, and once it has ended. */
    progress: taskProgress.nullable(),
    isCancelled: z.boolean(),
    /** Null while it is in progress. */
    outcome: z.enum(taskOutcomes).nullable(),
    detail: z.string().nullable(),
    /** Why it failed, if the game's program could not be run; `detail` says the same in English. */
    program: programFault.nullable(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'PowerAct' });
export type PowerAct = z.infer<typeof powerAct>;

/** Why nothing can be done with a server's process now. */
export const powerObstacles = [
  'SERVER_ARCHIVED',
  'POWER_AGENT_AWAY',
  'POWER_AGENT_TOO_OLD',
  'POWER_UNMANAGED',
  'POWER_NOT_ALLOWED',
] as const;
export type PowerObstacle = (typeof powerObstacles)[number];

export const serverPower = z
  .object({
    isAgentPresent: z.boolean(),
    obstacle: z.enum(powerObstacles).nullable(),
    /** As the agent proved it at `at`; null: no agent has reported a process. */
    process: z.object({ at: z.iso.datetime(), report: processReport.omit({ lastCrash: true }) }).nullable(),
    /** The last crash; its lines are empty for callers who may not read the console. */
    lastCrash: crashReport.omit({ ageMs: true }).extend({ at: z.iso.datetime() }).nullable(),
    /** The settings on the game's machine, for callers who may control the server or set up its agent. */
    machine: machineFacts.omit({ renewal: true }).nullable(),
    /** Null: none is in progress. */
    act: powerAct.nullable(),
    /** The act that ended last. */
    lastAct: powerAct.nullable(),
    /** The countdown of an act that names none, at the moment. */
    defaultCountdownSeconds: z.int().nonnegative(),
  })
  .meta({ id: 'ServerPower' });
export type ServerPower = z.infer<typeof serverPower>;

const powerRequest = z.strictObject({
  action: powerAction,
  /** For a stop or restart. Absent: the one from the settings while players are online, otherwise none. */
  countdownSeconds: z.int().min(0).max(longestCountdown).optional(),
});
export type PowerRequest = z.output<typeof powerRequest>;

const ofServer = z.object({ serverId: recordId });

export const powerHttp = {
  read: endpoint({
    method: 'GET',
    path: '/api/servers/:serverId/power',
    summary: 'Return the process of a game server as proven by its Game Agent, and any action in progress',
    access: 'servers.read',
    params: ofServer,
    response: serverPower,
  }),
  /** Repeating a request with the same key by the same caller returns the act that the first one began. */
  act: endpoint({
    method: 'POST',
    path: '/api/servers/:serverId/power',
    summary: 'Start, stop, restart or kill a game server; with an Idempotency-Key, at most once',
    access: 'servers.power',
    idempotent: true,
    params: ofServer,
    body: powerRequest,
    response: powerAct,
    problems: [
      ...changeProblems,
      'NOT_FOUND',
      ...powerObstacles,
      'POWER_BUSY',
      'IDEMPOTENCY_MISMATCH',
      'IDEMPOTENCY_KEY_INVALID',
      'SHUTTING_DOWN',
    ],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/servers/:serverId/power/:actId/cancellation',
    summary: 'Cancel a stop or restart; possible until the Game Agent has told the game to stop',
    access: 'servers.power',
    params: ofServer.extend({ actId: recordId }),
    response: powerAct,
    problems: [...changeProblems, 'NOT_FOUND', 'POWER_NOT_CANCELLABLE'],
  }),
} as const;
