import { type Kysely, sql } from 'kysely';
import * as z from 'zod';
import { reasonOf, reasons } from '#contracts/kernel/reasons.ts';
import type { JobStateName, job } from '#contracts/operations/queues.ts';
import { Problem } from '#runtime/problem.ts';
import type { Tables } from '../database/tables.ts';
import { deliveryQueue, modsQueue, queueSchema } from './queues.ts';

type Job = z.output<typeof job>;

export interface JobPage {
  readonly rows: Job[];
  readonly nextCursor: string | null;
}

interface JobRow {
  readonly id: string;
  readonly state: JobStateName;
  readonly created: Date;
  readonly started: Date | null;
  readonly completed: Date | null;
  readonly retries: number;
  readonly detail: string | null;
  readonly is_refunded: boolean;
}

/** pg-boss stores microseconds; a cursor identifies a row exactly by its text. Postgres knows no year 0. */
const cursorPlace = z.object({ at: z.iso.datetime({ precision: 6 }).regex(/^(?!0000)/), id: z.guid() });

const decode = (cursor: string) => {
  const [at, id] = Buffer.from(cursor, 'base64url').toString('latin1').split('|');
  const place = cursorPlace.safeParse({ at, id }).data;
  if (!place) throw new Problem('INVALID_REQUEST', { detail: reasons['cursor-unknown'] });
  return place;
};

/** All kinds of queue, with the same columns. */
const source = (queue: string) => {
  if (queue === deliveryQueue)
    return sql`(select id, job_state as state, created_at as created, started_at as started, ended_at as completed,
                  greatest(attempts - 1, 0) as retries, detail, refunded_at is not null as is_refunded from deliveries) as job`;
  if (queue === modsQueue)
    return sql`(select id, job_state as state, requested_at as created, began_at as started, ended_at as completed,
                  greatest(tries - 1, 0) as retries, detail, false as is_refunded from mod_jobs) as job`;
  return sql`(select id, state::text as state, created_on as created, started_on as started, completed_on as completed,
                  retry_count as retries, coalesce(output ->> 'message', output #>> '{value,message}') as detail,
                  false as is_refunded
             from ${sql.table(`${queueSchema}.job`)} where name = ${queue}) as job`;
};

/** A queue's jobs, newest first. @throws {Problem} INVALID_REQUEST for an invalid cursor */
export const readJobs = async (
  db: Kysely<Tables>,
  queue: string,
  { cursor, limit, state }: { cursor?: string | undefined; limit: number; state?: JobStateName | undefined },
): Promise<JobPage> => {
  const from = cursor === undefined ? null : decode(cursor);
  const { rows } = await sql<JobRow & { place: string }>`
    select *, to_char(created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place
    from ${source(queue)}
    where ${state === undefined ? sql`true` : sql`state = ${state}`}
      and ${from ? sql`(created, id) < (${from.at}::timestamptz, ${from.id}::uuid)` : sql`true`}
    order by created desc, id desc limit ${limit + 1}`.execute(db);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown.map(toJob),
    nextCursor:
      rows.length > limit && last ? Buffer.from(`${last.place}|${last.id}`).toString('base64url') : null,
  };
};

export const readJob = async (db: Kysely<Tables>, queue: string, id: string): Promise<Job | null> => {
  const { rows } = await sql<JobRow>`select * from ${source(queue)} where id = ${id}::uuid`.execute(db);
  return rows[0] ? toJob(rows[0]) : null;
};

const toJob = ({ id, state, created, started, completed, retries, detail, is_refunded }: JobRow): Job => ({
  id,
  state,
  createdAt: created.toISOString(),
  startedAt: started?.toISOString() ?? null,
  completedAt: completed?.toISOString() ?? null,
  retryCount: retries,
  detail,
  reason: reasonOf(detail),
  isRefunded: is_refunded,
});
