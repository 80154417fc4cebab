import { type Kysely, sql } from 'kysely';
import { type QueuesHealth, queueHealth } from '#contracts/operations/health.ts';
import { deliveryQueue, modsQueue, queueNames, queueSchema, shownQueues, unfinishedJobs } from './queues.ts';

type QueueReading = QueuesHealth['queues'];
type JobState = keyof QueueReading[number]['counts'];

const noJobs: Readonly<Record<JobState, number>> = {
  created: 0,
  retry: 0,
  active: 0,
  completed: 0,
  cancelled: 0,
  failed: 0,
};

/**
 * Jobs by state and failed tries of every queue, in declaration order. Unfinished jobs are counted from their index;
 * finished jobs and deliveries, which may be many, are counted as they change.
 */
export const readQueueCounts = async <Tables>(db: Kysely<Tables>): Promise<QueueReading> => {
  const jobs = await sql<{ name: string; state: JobState; count: number }>`
    select name, state::text as state, count(*)::int as count
    from ${sql.table(`${queueSchema}.job`)}
    where name = any(${queueNames}) and ${sql.raw(unfinishedJobs)} group by name, state
    union all
    select queue, state, count::int from ${sql.table(`${queueSchema}.castellan_finished_jobs`)} where queue = any(${queueNames})
    union all
    select ${deliveryQueue}, job_state, sum(count)::int from delivery_counts group by job_state
    union all
    select ${modsQueue}, job_state, count(*)::int from mod_jobs group by job_state
  `.execute(db);
  const failures = await sql<{ queue: string; failures_total: string }>`
    select queue, failures_total from queue_failures
  `.execute(db);
  return shownQueues.map((name) =>
    queueHealth.parse({
      name,
      counts: {
        ...noJobs,
        ...Object.fromEntries(
          jobs.rows.filter((row) => row.name === name).map((row) => [row.state, row.count]),
        ),
      },
      failuresTotal: Number(failures.rows.find(({ queue }) => queue === name)?.failures_total ?? 0),
    }),
  );
};

/** Unfinished jobs of all queues, including deliveries and changes of mods. The finished ones that are kept are not read. */
export const readQueueDepth = async <Tables>(db: Kysely<Tables>): Promise<number> => {
  const { rows } = await sql<{ depth: number }>`
    select (select count(*) from ${sql.table(`${queueSchema}.job`)}
             where name = any(${queueNames}) and ${sql.raw(unfinishedJobs)})::int
         + (select count(*) from deliveries where state in ('pending', 'waiting', 'sending'))::int
         + (select count(*) from mod_jobs where state in ('waiting', 'running'))::int as depth
  `.execute(db);
  return rows[0]?.depth ?? 0;
};
