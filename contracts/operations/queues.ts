import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { codedReason } from '../kernel/reasons.ts';

/** As in the documented view `pgboss.job`. */
export const jobStates = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const;
export type JobStateName = (typeof jobStates)[number];

export const queueOverview = z
  .object({
    name: z.string(),
    counts: z.record(z.enum(jobStates), z.int().nonnegative()),
    failuresTotal: z.int().nonnegative(),
    /** When the oldest unfinished job was created; null if there is none. */
    oldestAt: z.iso.datetime().nullable(),
    /** Jobs that ended in the last minute. */
    perMinute: z.number().nonnegative(),
    pausedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'QueueOverview' });

export const job = z
  .object({
    id: z.string(),
    state: z.enum(jobStates),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    completedAt: z.iso.datetime().nullable(),
    retryCount: z.int(),
    detail: z.string().nullable(),
    /** The code of `detail`, if it is one of the API's sentences. */
    reason: codedReason,
    /** A refunded delivery, which is not retried. */
    isRefunded: z.boolean(),
  })
  .meta({ id: 'Job' });

const ofQueue = z.object({ name: z.string().min(1).max(64) });
const ofJob = ofQueue.extend({ id: z.guid() });

export const queuesHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/queues',
    summary: 'List all queues: counts, failures, oldest job, rate and whether paused',
    access: 'queues.read',
    response: z.object({ rows: z.array(queueOverview) }),
  }),
  jobs: endpoint({
    method: 'GET',
    path: '/api/queues/:name/jobs',
    summary: "List a queue's jobs, newest first",
    access: 'queues.read',
    params: ofQueue,
    query: pageQuery.extend({ state: z.enum(jobStates).optional() }),
    response: pageOf(job),
  }),
  pause: endpoint({
    method: 'POST',
    path: '/api/queues/:name/pause',
    summary: 'Pause or resume a queue; while paused, it starts no new jobs',
    access: 'queues.write',
    params: ofQueue,
    body: z.strictObject({ paused: z.boolean() }),
    response: z.object({ rows: z.array(queueOverview) }),
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/queues/:name/jobs/:id/retry',
    summary:
      'Retry a failed or waiting job now; refused for a refunded delivery, and a change of mods requires a person who has stepped up',
    access: 'queues.write',
    params: ofJob,
    body: z.strictObject({}),
    response: job,
    problems: [...changeProblems, 'NOT_FOUND', 'JOB_STATE', 'PERSON_REQUIRED', 'STEP_UP_REQUIRED'],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/queues/:name/jobs/:id/cancel',
    summary: 'Cancel a waiting or failed job; a delivery is refunded, once',
    access: 'queues.write',
    params: ofJob,
    body: z.strictObject({}),
    response: job,
    problems: [...changeProblems, 'NOT_FOUND', 'JOB_STATE'],
  }),
} as const;
