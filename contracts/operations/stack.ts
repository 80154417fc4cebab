import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';

/** The supervised components, in the order in which they start. */
export const componentNames = ['postgres', 'api', 'bot'] as const;
export type ComponentName = (typeof componentNames)[number];

/**
 * stopped → starting → running ⇄ unhealthy → stopping → stopped; a death leads to crashed (backing off, then starting
 * again) or, once the restart budget is used up, to failed, from which it is retried slowly.
 */
export const componentStates = [
  'stopped',
  'starting',
  'running',
  'unhealthy',
  'stopping',
  'crashed',
  'failed',
] as const;
export type ComponentState = (typeof componentStates)[number];

export const stackStates = [
  'stopped',
  'starting',
  'running',
  'degraded',
  'unlicensed',
  'stopping',
  'failed',
] as const;
export type StackState = (typeof stackStates)[number];

const componentStatus = z.object({
  name: z.enum(componentNames),
  state: z.enum(componentStates),
  /** Why, in words; null if there is nothing to say. */
  reason: z.string().nullable(),
  /** The port that it failed to use: another program has it, or this machine forbids it. */
  blockedPort: z.int().optional(),
  pid: z.int().nullable(),
  port: z.int().nullable(),
  /** When the current state began, ISO 8601. */
  since: z.iso.datetime(),
  /** Restarts after a death, since the supervisor started. */
  restarts: z.int(),
  /** When a failed component is retried automatically; absent if it waits for a person. */
  nextTryAt: z.iso.datetime().optional(),
  /** The last lines that the process printed before it died; empty unless crashed or failed. */
  lastLines: z.array(z.string()),
});
export type ComponentStatus = z.infer<typeof componentStatus>;

export const stackStatus = z.object({
  state: z.enum(stackStates),
  home: z.string(),
  /** The supervisor's process id. */
  pid: z.int(),
  /** The program that supervises: the command line, the desktop, … */
  heldBy: z.string(),
  apiUrl: z.string(),
  components: z.array(componentStatus),
});
export type StackStatus = z.infer<typeof stackStatus>;

const componentQuery = z.strictObject({ component: z.enum(componentNames).optional() });

/** One request to the API, made by the supervisor as the owner of this machine. */
export const localApiCall = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().regex(/^\/api\//, 'must be a path of the API'),
  body: z.unknown().optional(),
});

/** The control channel of a running supervisor: HTTP over a local socket that only this machine can reach. */
export const stackControl = {
  status: endpoint({
    method: 'GET',
    path: '/status',
    summary: 'Return the state of the stack and of each component',
    access: 'supervisor',
    response: stackStatus,
    problems: ['UNAUTHENTICATED'],
  }),
  restart: endpoint({
    method: 'POST',
    path: '/restart',
    summary: 'Reload .env and restart one component or all; responds once they are up again',
    access: 'supervisor',
    query: componentQuery,
    response: stackStatus,
    problems: ['UNAUTHENTICATED', 'SHUTTING_DOWN'],
  }),
  stop: endpoint({
    method: 'POST',
    path: '/stop',
    summary: 'Stop the stack and exit the supervisor',
    access: 'supervisor',
    response: stackStatus,
    problems: ['UNAUTHENTICATED'],
  }),
  callApi: endpoint({
    method: 'POST',
    path: '/api-calls',
    summary: 'Call the API as the owner of this machine; returns its response, whatever it is',
    access: 'supervisor',
    body: localApiCall,
    response: z.object({ status: z.int(), body: z.unknown() }),
    problems: ['UNAUTHENTICATED', 'API_UNAVAILABLE'],
  }),
} as const;
