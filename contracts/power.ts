import * as z from 'zod';
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
import { endpoint } from './http.ts';

/** An act on a game's process that someone asked for. */
export const powerAct = z
  .object({
    id: z.string(),
    action: powerAction,
    /** How long it is announced in the game before it stops; 0: not at all. */
    countdownSeconds: z.int().nonnegative(),
    /** Who asked, for people. */
    byName: z.string(),
    requestedAt: z.iso.datetime(),
    /** What happens now; null before the agent says so, and once it has ended. */
    progress: taskProgress.nullable(),
    isCancelled: z.boolean(),
    /** Null while it is under way. */
    outcome: z.enum(taskOutcomes).nullable(),
    detail: z.string().nullable(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'PowerAct' });
export type PowerAct = z.infer<typeof powerAct>;

/** Why nothing can be asked of a server's process now. */
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
    /** As the agent proved it at `at`; null: no agent has told of one. */
    process: z.object({ at: z.iso.datetime(), report: processReport.omit({ lastCrash: true }) }).nullable(),
    /** The last crash; its lines are empty for those who may not read the console. */
    lastCrash: crashReport.omit({ ageMs: true }).extend({ at: z.iso.datetime() }).nullable(),
    /** What was set on the game's machine, for those who may act on the server or set up its agent. */
    machine: machineFacts.omit({ renewal: true }).nullable(),
    /** Null: none is under way. */
    act: powerAct.nullable(),
    /** The one that ended last. */
    lastAct: powerAct.nullable(),
    /** What an act takes that names no countdown, as things are now. */
    defaultCountdownSeconds: z.int().nonnegative(),
  })
  .meta({ id: 'ServerPower' });
export type ServerPower = z.infer<typeof serverPower>;

const powerRequest = z.strictObject({
  action: powerAction,
  /** Of a stop or restart. Absent: that of the settings while players are on, else none. */
  countdownSeconds: z.int().min(0).max(longestCountdown).optional(),
});
export type PowerRequest = z.output<typeof powerRequest>;

const ofServer = z.object({ serverId: recordId });
const acting = ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE', 'NOT_FOUND', 'CROSS_ORIGIN'] as const;

export const powerHttp = {
  read: endpoint({
    method: 'GET',
    path: '/api/servers/:serverId/power',
    summary: 'The process of a game server as its Game Agent proves it, and what is being done to it',
    access: 'servers.read',
    params: ofServer,
    response: serverPower,
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE', 'NOT_FOUND'],
  }),
  /** Repeating a request with the same key by the same caller returns the act that it began. */
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
      ...acting,
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
    summary: 'Cancel a stop or restart; the agent does until the game was told to stop',
    access: 'servers.power',
    params: ofServer.extend({ actId: recordId }),
    response: powerAct,
    problems: [...acting, 'POWER_NOT_CANCELLABLE'],
  }),
} as const;
