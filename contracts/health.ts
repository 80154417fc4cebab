import * as z from 'zod';
import { endpoint } from './http.ts';
import { licenseStates } from './license-state.ts';

export const healthStatuses = ['ok', 'degraded', 'down'] as const;
export type HealthStatus = (typeof healthStatuses)[number];

/** How much room a disk has, falling. At `full` Postgres cannot write its log any more. */
export const spaceLevels = ['enough', 'low', 'short', 'full'] as const;
export type SpaceLevel = (typeof spaceLevels)[number];

/** One part of the stack; `detail` says in words what is wrong, or null. */
export const componentHealth = z.object({
  status: z.enum(healthStatuses),
  detail: z.string().nullable(),
});
export type ComponentHealth = z.infer<typeof componentHealth>;

export const stackHealth = z
  .object({
    /** The worst of the components; `down` only when the API cannot do its work at all. */
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
      /** Where the home and its backups lie. */
      disk: componentHealth,
      /** `detail` tells the age and the outcome of the last one, also while all is well. */
      backups: componentHealth,
      /** What members have for a time: `degraded` while ends are overdue, wait for a person, or are not followed. */
      entitlements: componentHealth,
    }),
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
  /** Failed tries since the queue exists, also of jobs that are deleted by now. */
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
    /** A round trip made now (one serves all requests of a second), in milliseconds; null when there was no answer. */
    latencyMs: z.number().nullable(),
    /** Of the round trips of the last five minutes, in milliseconds. */
    p50Ms: z.number().nullable(),
    p95Ms: z.number().nullable(),
    p99Ms: z.number().nullable(),
    pool: z.object({ max: count, open: count, idle: count, waiting: count }),
  })
  .meta({ id: 'DatabaseHealth' });
export type DatabaseHealth = z.infer<typeof databaseHealth>;

export const agentHealth = z.object({
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
  stack: reading('/api/health', 'Health of the whole stack', stackHealth),
  queues: reading('/api/health/queues', 'Job counts and accumulated failures per queue', queuesHealth),
  database: reading('/api/health/database', 'Database latency', databaseHealth),
  agents: reading('/api/health/agents', 'Game Agent status per server', agentsHealth),
  gameAgent: reading('/api/game-agent/status', 'Connectivity of the Game Agent', gameAgentStatus),
} as const;
