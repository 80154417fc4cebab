import { type Kysely, sql } from 'kysely';
import {
  type MetricSeries as FiguresOfSpan,
  type MetricPoint,
  type MetricSpan,
  metricSpans,
} from '#contracts/operations/metric-history.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import { sleep } from '#runtime/sleep.ts';
import { waitAtMost } from '#runtime/within.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { LiveTopic } from '../../kernel/live/live-topic.ts';
import { createMetricHistoryTopic } from './metric-history-topic.ts';
import { createMetricSampler, type MetricSources } from './metric-sampler.ts';
import { createRecentMetrics } from './recent-metrics.ts';
import { minuteMs, nextSampleAt, stepEndingAt } from './sample-times.ts';
import { pointAt, type StepMetrics, unknownMetrics } from './step.ts';

/** Writes a minute; replaces an existing one, since the clock was set back. */
const writeMinute = async (
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
const readMinutes = async (
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
const readSpan = async (
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

/** The longest chart plus two days, so that its first step is complete. */
const keptDays = 32;
/** Rows per statement: a few milliseconds of work. */
const deletedAtOnce = 1000;
const deletionPauseMs = 10;

/**
 * Deletes the minutes that no chart shows any more, in batches.
 * @param signal ends the work after the current batch
 * @returns how many were deleted
 */
const deleteOldMetrics = async (db: Kysely<Tables>, signal: AbortSignal): Promise<number> => {
  const before = sql<Date>`castellan_proven_now() - make_interval(days => ${keptDays})`;
  let total = 0;
  while (!signal.aborted) {
    const beganMs = performance.now();
    const { numDeletedRows } = await db
      .deleteFrom('figures')
      .where('at', 'in', (query) =>
        query.selectFrom('figures').select('at').where('at', '<', before).orderBy('at').limit(deletedAtOnce),
      )
      .executeTakeFirstOrThrow();
    total += Number(numDeletedRows);
    if (numDeletedRows < deletedAtOnce) return total;
    const pauseMs = Math.max(deletionPauseMs, performance.now() - beganMs);
    await sleep(pauseMs, signal);
  }
  return total;
};

/** What the stack's charts show: the last hour from memory, and one row per minute from the database. */
export interface MetricHistory extends AsyncDisposable {
  readonly topic: LiveTopic;
  readonly maintenance: {
    readonly name: string;
    run(signal: AbortSignal): Promise<number>;
  };
  /** Call it once the schema is ready: loads the last hour that an earlier process wrote. */
  prepare(): Promise<void>;
  /** Starts sampling. */
  begin(): void;
  /** Takes the figures of the step that ends now, and writes the completed minute. Never fails. */
  sample(): Promise<void>;
  /** @throws when the database is unreachable, except for the hour */
  read(span: MetricSpan): Promise<FiguresOfSpan>;
}

const stopDeadlineMs = 1000;

export const createMetricHistory = ({
  db,
  sources,
  log,
  now = Date.now,
}: {
  readonly db: Kysely<Tables>;
  readonly sources: MetricSources;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}): MetricHistory => {
  const recent = createRecentMetrics();
  const takeFigures = createMetricSampler(sources, log);
  const topic = createMetricHistoryTopic();
  let timer: NodeJS.Timeout | undefined;
  let sampling: Promise<void> = Promise.resolve();
  let writing: Promise<void> | null = null;
  let minuteUnderWayMs: number | null = null;

  /** A minute that cannot be written is dropped: what follows matters more. */
  const write = async (atMs: number, known: StepMetrics) => {
    try {
      await writeMinute(db, atMs, known);
    } catch (error) {
      if (isDatabaseAway(error)) log.debug({ err: error }, 'skipped a minute of metrics');
      else log.warn({ err: error }, 'could not write a minute of metrics');
    } finally {
      writing = null;
    }
  };

  const sample = async () => {
    const stepMs = stepEndingAt(now());
    const known = await takeFigures();
    const ofMinuteMs = Math.floor(stepMs / minuteMs) * minuteMs;
    const over = minuteUnderWayMs === null ? null : recent.minute(minuteUnderWayMs);
    if (over && minuteUnderWayMs !== null && minuteUnderWayMs !== ofMinuteMs)
      writing ??= write(minuteUnderWayMs, over);
    minuteUnderWayMs = ofMinuteMs;
    recent.add(stepMs, known);
    topic.publish(pointAt(stepMs, known));
    await writing;
  };

  const schedule = () => {
    const nowMs = now();
    timer = setTimeout(() => {
      sampling = sample();
      schedule();
    }, nextSampleAt(nowMs) - nowMs).unref();
  };

  return {
    topic,
    maintenance: { name: 'figures', run: (signal) => deleteOldMetrics(db, signal) },
    async prepare() {
      const nowMs = now();
      const { stepSeconds, steps } = metricSpans.hour;
      const minutes = await readMinutes(db, nowMs - stepSeconds * steps * 1000 - minuteMs, nowMs);
      for (const [atMs, known] of minutes) recent.fill(atMs, known);
    },
    begin() {
      if (!timer) schedule();
    },
    sample,
    async read(span) {
      const { stepSeconds } = metricSpans[span];
      return {
        stepSeconds,
        points: span === 'hour' ? recent.hour(now()) : await readSpan(db, span, now()),
      };
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await waitAtMost(stopDeadlineMs, sampling);
    },
  };
};
