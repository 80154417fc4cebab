import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { licenseStates } from '../license/license-state.ts';

/** From the best to the worst. `unknown`: no report about it is recent enough to say. */
export const healthStatuses = ['ok', 'unknown', 'degraded', 'down'] as const;
export type HealthStatus = (typeof healthStatuses)[number];

/** How much space a disk has, falling. At `full`, Postgres can no longer write its log. */
export const spaceLevels = ['enough', 'low', 'short', 'full'] as const;
export type SpaceLevel = (typeof spaceLevels)[number];

/** One component of the stack; `detail` says in words what is wrong, or null. */
const componentHealth = z.object({
  status: z.enum(healthStatuses),
  detail: z.string().nullable(),
});
export type ComponentHealth = z.infer<typeof componentHealth>;

/** @param words what is wrong, in sentences; empty: nothing */
export const healthIn = (words: readonly string[]): ComponentHealth =>
  words.length > 0 ? { status: 'degraded', detail: words.join(' ') } : { status: 'ok', detail: null };

export const stackHealth = z
  .object({
    /** The worst status of the components. */
    status: z.enum(healthStatuses),
    version: z.string(),
    contractVersion: z.int(),
    /** Seconds since the API started. */
    uptimeSeconds: z.number(),
    license: z.enum(licenseStates),
    components: z.object({
      api: componentHealth,
      database: componentHealth,
      queues: componentHealth,
      bot: componentHealth,
      agents: componentHealth,
      secrets: componentHealth,
      /** The disk with the data folder and its backups. */
      disk: componentHealth,
      /** `detail` has the age and the outcome of the last backup, even when all is well. */
      backups: componentHealth,
      /** `degraded` from when a backup finds the files of the database damaged until one finds them sound. */
      integrity: componentHealth,
      /** Timed purchases: `degraded` while ends are overdue, wait for a person, or are not handled. */
      entitlements: componentHealth,
      /** `degraded` while bans, or unbans, have waited for a server for more than an hour, or are not applied at all. */
      bans: componentHealth,
      /** `degraded` in the grace period, and when the license is about to end. */
      license: componentHealth,
    }),
    /** What is not well, and since when, also beyond a restart of the API: a component's name, or `license`. */
    troubleSince: z.record(z.string(), z.iso.datetime()),
  })
  .meta({ id: 'StackHealth' });
export type StackHealth = z.infer<typeof stackHealth>;

const count = z.int().nonnegative();
export const queueHealth = z.object({
  name: z.string(),
  counts: z.object({
    created: count,
    retry: count,
    active: count,
    completed: count,
    cancelled: count,
    failed: count,
  }),
  /** Failed attempts since the queue exists, including those of jobs that are already deleted. */
  failuresTotal: count,
});
export const queuesHealth = z
  .object({ status: z.enum(healthStatuses), queues: z.array(queueHealth) })
  .meta({ id: 'QueuesHealth' });
export type QueuesHealth = z.infer<typeof queuesHealth>;

export const databaseHealth = z
  .object({
    status: z.enum(healthStatuses),
    detail: z.string().nullable(),
    /** A round trip made now (one serves all requests within a second), in milliseconds; null if there was no answer. */
    latencyMs: z.number().nullable(),
    /** Median round trip of the last five minutes, in milliseconds. */
    p50Ms: z.number().nullable(),
    p95Ms: z.number().nullable(),
    p99Ms: z.number().nullable(),
    pool: z.object({ max: count, open: count, idle: count, waiting: count }),
  })
  .meta({ id: 'DatabaseHealth' });
export type DatabaseHealth = z.infer<typeof databaseHealth>;

const agentHealth = z.object({
  serverId: z.string(),
  serverName: z.string(),
  mode: z.enum(['websocket', 'polling']).nullable(),
  lastSeenAt: z.iso.datetime().nullable(),
  /** No message for three heartbeat intervals of the current mode. */
  stale: z.boolean(),
});
export const agentsHealth = z
  .object({ status: z.enum(healthStatuses), agents: z.array(agentHealth) })
  .meta({ id: 'AgentsHealth' });
export type AgentsHealth = z.infer<typeof agentsHealth>;

export const gameAgentStatus = z
  .object({ connected: count, stale: count, agents: z.array(agentHealth) })
  .meta({ id: 'GameAgentStatus' });

const reading = <const Path extends string, Schema extends z.ZodType>(
  path: Path,
  summary: string,
  response: Schema,
) =>
  endpoint({
    method: 'GET',
    path,
    summary,
    access: 'stack.read',
    loopback: true,
    response,
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  });

export const healthHttp = {
  stack: {
    ...reading(
      '/api/health',
      'Return the health of the whole stack; with ?strict, the status is 503 when something is down',
      stackHealth,
    ),
    query: z.object({ strict: z.enum(['', 'true', 'false']).optional() }),
  },
  queues: reading('/api/health/queues', 'Return job counts and accumulated failures per queue', queuesHealth),
  database: reading('/api/health/database', 'Return the database latency', databaseHealth),
  agents: reading('/api/health/agents', 'Return the Game Agent status per server', agentsHealth),
  gameAgent: reading('/api/game-agent/status', 'Return the connectivity of the Game Agents', gameAgentStatus),
} as const;
