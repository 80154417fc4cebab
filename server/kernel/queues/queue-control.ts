import { type Kysely, sql } from 'kysely';
import type * as z from 'zod';
import type { JobStateName, job, queueOverview } from '#contracts/operations/queues.ts';
import { actorReference } from '../access/actor.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../http/refusal.ts';
import { readQueueCounts } from './queue-counts.ts';
import { type JobPage, readJob, readJobs } from './queue-jobs.ts';
import type { QueuePauses } from './queue-pauses.ts';
import {
  deliveryQueue,
  modsQueue,
  queueNames,
  queueSchema,
  type ShownQueue,
  shownQueues,
  unfinishedJobs,
} from './queues.ts';

type QueueOverview = z.output<typeof queueOverview>;
type Job = z.output<typeof job>;

export interface QueueControlOptions {
  readonly db: Kysely<Tables>;
  /** Changing a delivery affects more than a job. */
  readonly deliveries: {
    retry(id: string, by: AuditContext): Promise<unknown>;
    cancel(id: string, by: AuditContext): Promise<unknown>;
  };
  /** The same applies to a change of mods. */
  readonly mods: {
    retry(id: string, by: AuditContext): Promise<Refusal | null>;
    cancel(id: string, by: AuditContext): Promise<Refusal | null>;
  };
  readonly pauses: Pick<QueuePauses, 'refresh'>;
}

export interface QueueControl {
  list(): Promise<QueueOverview[]>;
  jobs(
    queue: string,
    query: {
      readonly cursor?: string | undefined;
      readonly limit: number;
      readonly state?: JobStateName | undefined;
    },
  ): Promise<JobPage | Refusal>;
  pause(queue: string, paused: boolean, by: AuditContext): Promise<QueueOverview[] | Refusal>;
  retry(queue: string, id: string, by: AuditContext): Promise<Job | Refusal>;
  cancel(queue: string, id: string, by: AuditContext): Promise<Job | Refusal>;
}

export const createQueueControl = ({ db, deliveries, mods, pauses }: QueueControlOptions): QueueControl => {
  const list = async (): Promise<QueueOverview[]> => {
    const [counts, facts, paused] = await Promise.all([
      readQueueCounts(db),
      readFacts(db),
      db.selectFrom('queue_pauses').select(['queue', 'paused_at']).execute(),
    ]);
    return counts.map(({ name, ...counted }) => ({
      name,
      ...counted,
      oldestAt: facts.get(name)?.oldest?.toISOString() ?? null,
      perMinute: facts.get(name)?.ended ?? 0,
      pausedAt: paused.find(({ queue }) => queue === name)?.paused_at.toISOString() ?? null,
    }));
  };
  /** Changes one job that is not a delivery, with its audit row; refused unless it is in one of these states. */
  const change = (
    queue: string,
    id: string,
    by: AuditContext,
    action: 'retry' | 'cancel',
    apply: (trx: Kysely<Tables>) => Promise<{ rows: readonly unknown[] }>,
  ): Promise<Job | Refusal> =>
    db.transaction().execute(async (trx) => {
      const { rows } = await apply(trx);
      const found = await readJob(trx, queue, id);
      if (!found) return refuse('NOT_FOUND');
      if (rows.length === 0) return refuse('JOB_STATE', `The job is ${found.state}.`);
      await recordAudit(trx, { ...by, action: `queues.${action}`, target: `job:${queue}:${id}` });
      return found;
    });
  const changeDelivery = async (id: string, asked: Promise<unknown>): Promise<Job | Refusal> => {
    const answer = await asked;
    if (isRefusal(answer))
      return answer.refused === 'DELIVERY_STATE' ? refuse('JOB_STATE', answer.detail) : answer;
    return (await readJob(db, deliveryQueue, id)) ?? refuse('NOT_FOUND');
  };
  const changeMods = async (id: string, asked: Promise<Refusal | null>): Promise<Job | Refusal> =>
    (await asked) ?? (await readJob(db, modsQueue, id)) ?? refuse('NOT_FOUND');

  return {
    list,
    async jobs(queue, query) {
      return isQueue(queue) ? readJobs(db, queue, query) : refuse('NOT_FOUND');
    },
    async pause(queue, paused, by) {
      if (!isQueue(queue)) return refuse('NOT_FOUND');
      await db.transaction().execute(async (trx) => {
        const changed = paused
          ? await trx
              .insertInto('queue_pauses')
              .values({ queue, actor: actorReference(by.actor), actor_name: by.actor.name })
              .onConflict((conflict) => conflict.doNothing())
              .returning('queue')
              .execute()
          : await trx.deleteFrom('queue_pauses').where('queue', '=', queue).returning('queue').execute();
        if (changed.length === 0) return;
        await recordAudit(trx, {
          ...by,
          action: paused ? 'queues.pause' : 'queues.resume',
          target: `queue:${queue}`,
        });
      });
      await pauses.refresh();
      return list();
    },
    async retry(queue, id, by) {
      if (!isQueue(queue)) return refuse('NOT_FOUND');
      if (queue === deliveryQueue) return changeDelivery(id, deliveries.retry(id, by));
      if (queue === modsQueue) return changeMods(id, mods.retry(id, by));
      return change(queue, id, by, 'retry', (trx) =>
        sql`update ${sql.table(`${queueSchema}.job`)}
               set state = 'retry', start_after = now(), completed_on = null,
                   retry_limit = greatest(retry_limit, retry_count + 1)
             where name = ${queue} and id = ${id}::uuid and state in ('created', 'retry', 'failed') returning id`.execute(
          trx,
        ),
      );
    },
    async cancel(queue, id, by) {
      if (!isQueue(queue)) return refuse('NOT_FOUND');
      if (queue === deliveryQueue) return changeDelivery(id, deliveries.cancel(id, by));
      if (queue === modsQueue) return changeMods(id, mods.cancel(id, by));
      return change(queue, id, by, 'cancel', (trx) =>
        sql`update pgboss.job set state = 'cancelled'
             where name = ${queue} and id = ${id}::uuid and state in ('created', 'retry', 'failed') returning id`.execute(
          trx,
        ),
      );
    },
  };
};

const isQueue = (name: string): name is ShownQueue => shownQueues.some((queue) => queue === name);

interface QueueFacts {
  /** When the oldest unfinished one was created. */
  readonly oldest: Date | null;
  /** Ended within the last minute. */
  readonly ended: number;
}

const readFacts = async (db: Kysely<Tables>): Promise<ReadonlyMap<string, QueueFacts>> => {
  const jobs = sql.table(`${queueSchema}.job`);
  const { rows } = await sql<QueueFacts & { name: string }>`
    select queue.name,
           (select min(created_on) from ${jobs} where job.name = queue.name and ${sql.raw(unfinishedJobs)}) as oldest,
           (select count(*)::int from ${jobs}
             where job.name = queue.name and completed_on > now() - interval '1 minute') as ended
    from unnest(${queueNames}::text[]) as queue (name)
    union all
    select ${deliveryQueue},
           (select min(created_at) from (select created_at from deliveries
              where state in ('pending', 'waiting', 'sending') offset 0) as open),
           (select count(*)::int from deliveries where ended_at > now() - interval '1 minute')
    union all
    select ${modsQueue},
           (select min(requested_at) from mod_jobs where state in ('waiting', 'running')),
           (select count(*)::int from mod_jobs where ended_at > now() - interval '1 minute')`.execute(db);
  return new Map(rows.map(({ name, oldest, ended }) => [name, { oldest, ended }]));
};
