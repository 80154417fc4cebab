import { type Kysely, sql } from 'kysely';
import { type MetricPoint, type MetricSpan, metricSpans } from '#contracts/operations/metric-history.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { pointAt, type StepMetrics, unknownMetrics } from './step.ts';

/** Writes a minute; replaces an existing one, since the clock was set back. */
export const writeMinute = async (
  db: Kysely<Tables>,
  atMs: number,
  { players, databaseMs, queueDepth, events }: StepMetrics,
): Promise<void> => {
  const known = { players, database_ms: databaseMs, queue_depth: queueDepth, events };
  await db
    .insertInto('figures')
    .values({ at: new Date(atMs), ...known })
    .onConflict((conflict) => conflict.column('at').doUpdateSet(known))
    .execute();
};

/** @returns the minutes that begin at or after the first time and before the second, by start in milliseconds */
export const readMinutes = async (
  db: Kysely<Tables>,
  fromMs: number,
  toMs: number,
): Promise<ReadonlyMap<number, StepMetrics>> => {
  const rows = await db
    .selectFrom('figures')
    .select(['at', 'players', 'database_ms as databaseMs', 'queue_depth as queueDepth', 'events'])
    .where('at', '>=', new Date(fromMs))
    .where('at', '<', new Date(toMs))
    .execute();
  return new Map(rows.map(({ at, ...known }) => [at.getTime(), known]));
};

/** One point per step, up to the current step. */
export const readSpan = async (
  db: Kysely<Tables>,
  span: Exclude<MetricSpan, 'hour'>,
  nowMs: number,
): Promise<MetricPoint[]> => {
  const { stepSeconds, steps } = metricSpans[span];
  const stepMs = stepSeconds * 1000;
  const firstMs = (Math.floor(nowMs / stepMs) - (steps - 1)) * stepMs;
  const { rows } = await sql<StepMetrics & { at: Date }>`
    select date_bin(make_interval(secs => ${stepSeconds}), at, 'epoch'::timestamptz) as at,
           avg(players) as players, avg(database_ms) as "databaseMs", avg(queue_depth) as "queueDepth",
           sum(events)::float8 as events
    from figures where at >= ${new Date(firstMs)} and at <= ${new Date(nowMs)} group by 1
  `.execute(db);
  const known = new Map(rows.map(({ at, ...figures }) => [at.getTime(), figures]));
  return Array.from({ length: steps }, (_, index) => {
    const atMs = firstMs + index * stepMs;
    return pointAt(atMs, known.get(atMs) ?? unknownMetrics);
  });
};
