import type { QueueOptions, QueuePolicy } from 'pg-boss';

/** pg-boss's own tables. The documented `pgboss.job` is a view of ours in another schema. */
export const queueSchema = 'queue';

/** Unfinished jobs of pg-boss; an index covers them, so counting them is cheap. */
export const unfinishedJobs = "state in ('created', 'retry', 'active')";

/** Finished jobs, which are kept for days; the count per queue is updated as they change. */
export const finishedJobs = "state in ('completed', 'cancelled', 'failed')";

interface QueueDeclaration extends QueueOptions {
  readonly policy: QueuePolicy;
  /** A waiting worker is woken immediately instead of at its next poll. */
  readonly notify: boolean;
}

const day = 86_400;
/** How long a job whose process says nothing is left alone: a process at work says so twice as often. */
const heartbeatSeconds = 30;

/**
 * All queues. pg-boss deletes a job that has waited longer than `retentionSeconds`; while a license is rejected nothing may
 * be lost, so waiting jobs are kept for ten years.
 */
export const queues = {
  /** Wakes members whose deliveries may continue; losing such a job loses no delivery. */
  'delivery-wakes': {
    policy: 'standard',
    notify: true,
    retryLimit: 5,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 300,
    expireInSeconds: 120,
    heartbeatSeconds,
    deleteAfterSeconds: 7 * day,
    retentionSeconds: 3650 * day,
  },
  /** The stack's own housekeeping, once a day. */
  maintenance: {
    policy: 'stately',
    notify: false,
    retryLimit: 2,
    retryDelay: 60,
    retryBackoff: true,
    retryDelayMax: 600,
    expireInSeconds: 600,
    heartbeatSeconds,
    deleteAfterSeconds: 7 * day,
    retentionSeconds: 3650 * day,
  },
  /** Seals all secrets with the current key; one job per run, whose key is the job's key. */
  'reencrypt-secrets': {
    policy: 'exclusive',
    notify: true,
    retryLimit: 5,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 60,
    expireInSeconds: 3600,
    heartbeatSeconds,
    deleteAfterSeconds: 7 * day,
    retentionSeconds: 3650 * day,
  },
} as const satisfies Record<string, QueueDeclaration>;

export type QueueName = keyof typeof queues;
export const queueNames = Object.keys(queues) as QueueName[];

/** The documented queue of deliveries: not pg-boss's, but the table of deliveries with its own states. */
export const deliveryQueue = 'delivery';
/** Likewise for changes of mods: the table of their jobs. */
export const modsQueue = 'mods';
/** As shown and named to the outside. */
export const shownQueues = [deliveryQueue, modsQueue, ...queueNames] as const;
export type ShownQueue = (typeof shownQueues)[number];
