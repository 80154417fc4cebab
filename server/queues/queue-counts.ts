import { type Kysely, sql } from 'kysely';
import { type QueuesHealth, queueHealth } from '#contracts/health.ts';
import type { QueueFailuresTable } from './queues.tables.ts';
import { queueNames, queueSchema, unfinishedJobs } from './queues.ts';

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

/** Jobs by state and failed tries of every declared queue, in the order in which they are declared. */
export const readQueueCounts = async (
  db: Kysely<{ queue_failures: QueueFailuresTable }>,
): Promise<QueueReading> => {
  const jobs = await sql<{ name: string; state: JobState; count: number }>`
    select name, state::text as state, count(*)::int as count
    from ${sql.table(`${queueSchema}.job`)} where name = any(${queueNames}) group by name, state
  `.execute(db);
  const failures = await db.selectFrom('queue_failures').selectAll().execute();
  return queueNames.map((name) =>
    queueHealth.parse({
      name,
      counts: {
        ...noJobs,
        ...Object.fromEntries(
          jobs.rows.filter((row) => row.name === name).map((row) => [row.state, row.count]),
        ),
      },
      failuresTotal: Number(failures.find(({ queue }) => queue === name)?.failures_total ?? 0),
    }),
  );
};

/** Jobs of all declared queues that are not at their end. The finished ones, which are kept for days, are not looked at. */
export const readQueueDepth = async <Tables>(db: Kysely<Tables>): Promise<number> => {
  const { rows } = await sql<{ depth: number }>`
    select count(*)::int as depth from ${sql.table(`${queueSchema}.job`)}
    where name = any(${queueNames}) and ${sql.raw(unfinishedJobs)}
  `.execute(db);
  return rows[0]?.depth ?? 0;
};
