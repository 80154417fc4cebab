import type pg from 'pg';
import type { Log } from '#runtime/log.ts';
import { databaseFaultInWords } from './database-fault.ts';
import { createLatencyWindow, type Percentiles } from './latency-window.ts';

/** `latencyMs` of a round trip, or what stands in its way in words. */
export type RoundTrip =
  | { readonly answered: true; readonly latencyMs: number }
  | { readonly answered: false; readonly busy: boolean; readonly detail: string };

export interface DatabaseLatency extends AsyncDisposable {
  /** A round trip made now; one serves everybody who asks within a second. Settles within 1.5 s, whatever the database does. */
  now(): Promise<RoundTrip>;
  /** The last round trip that ended, without waiting for one. */
  last(): RoundTrip;
  /** Of the last five minutes, or fewer. */
  percentiles(withinMs?: number): Percentiles;
}

const intervalMs = 3000;
const freshMs = 1000;
const answerDeadlineMs = 1500;
/** A full pool none of whose connections came back for so long is not busy: the database hangs. */
const hangsAfterMs = 5000;
const spanMs = 5 * 60_000;
/** Requests may add to the background's samples, one a second at most. */
const capacity = spanMs / freshMs;

/** pg knows the time-out of a single query; its types do not. */
const boundedPing: pg.QueryConfig & { query_timeout: number } = {
  text: 'select 1',
  query_timeout: answerDeadlineMs,
};

/** A time in which the database did not answer, that is over. */
export interface Outage {
  readonly since: Date;
  /** In words. */
  readonly detail: string;
}

/**
 * Measures the way to the database every few seconds, and whenever somebody asks.
 * @param onRecovery told when the database answers again after it had answered before; a pool in full use is no outage
 */
export const watchDatabaseLatency = (
  pool: pg.Pool,
  log: Log,
  onRecovery: (outage: Outage) => void,
): DatabaseLatency => {
  const window = createLatencyWindow(spanMs, capacity);
  let last: RoundTrip = { answered: false, busy: false, detail: 'The database was not asked yet.' };
  let lastAtMs = Number.NEGATIVE_INFINITY;
  let underWay: Promise<RoundTrip> | null = null;

  let hasAnswered = false;
  let outage: Outage | null = null;

  const noteOutage = (trip: RoundTrip) => {
    if (trip.answered) {
      hasAnswered = true;
      if (outage) onRecovery(outage);
      outage = null;
    } else if (hasAnswered && !trip.busy) outage ??= { since: new Date(), detail: trip.detail };
  };

  const conclude = (trip: RoundTrip): RoundTrip => {
    noteOutage(trip);
    if (trip.answered !== last.answered) {
      if (trip.answered) log.info('the database answers');
      else log.warn({ detail: trip.detail }, 'the database does not answer');
    }
    last = trip;
    lastAtMs = performance.now();
    if (trip.answered) window.add(lastAtMs, trip.latencyMs);
    return trip;
  };

  let returnedMs = performance.now();
  pool.on('release', (error) => {
    if (!error) returnedMs = performance.now();
  });
  /** More want a connection than there are: the database may be well, and we are the bottleneck. */
  const isBusy = (): boolean =>
    pool.waitingCount > 0 &&
    pool.totalCount >= pool.options.max &&
    performance.now() - returnedMs < hangsAfterMs;
  const unanswered = (detail: string): RoundTrip =>
    isBusy()
      ? {
          answered: false,
          busy: true,
          detail: `All ${pool.options.max} database connections are in use.`,
        }
      : { answered: false, busy: false, detail };

  const measure = (): Promise<RoundTrip> => {
    underWay ??= roundTrip(pool)
      .catch((error: unknown) => unanswered(databaseFaultInWords(error)))
      .then(conclude)
      .finally(() => {
        underWay = null;
      });
    return underWay;
  };

  const timer = setInterval(() => void measure(), intervalMs).unref();
  return {
    last: () => last,
    percentiles: (withinMs) => window.percentiles(performance.now(), withinMs),
    now: () =>
      performance.now() - lastAtMs < freshMs
        ? Promise.resolve(last)
        : withinDeadline(measure(), () => unanswered('The database does not answer in time.')),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await underWay;
    },
  };
};

/** The wait for a free connection is not part of the latency, but it is bounded too. */
const roundTrip = async (pool: pg.Pool): Promise<RoundTrip> => {
  const client = await pool.connect();
  const begunMs = performance.now();
  try {
    await client.query(boundedPing);
  } catch (error) {
    client.release(true);
    throw error;
  }
  const latencyMs = performance.now() - begunMs;
  client.release();
  return { answered: true, latencyMs };
};

const withinDeadline = async (trip: Promise<RoundTrip>, late: () => RoundTrip): Promise<RoundTrip> => {
  const { promise, resolve } = Promise.withResolvers<RoundTrip>();
  const timer = setTimeout(() => resolve(late()), answerDeadlineMs);
  try {
    return await Promise.race([trip, promise]);
  } finally {
    clearTimeout(timer);
  }
};
