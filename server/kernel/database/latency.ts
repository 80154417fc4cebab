import type pg from 'pg';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import type { Log } from '#runtime/log.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { within } from '#runtime/within.ts';
import { databaseFaultInWords } from './database-fault.ts';
import { createLatencyWindow, type Percentiles } from './latency-window.ts';

/** The `latencyMs` of a round trip, or what blocks it, in words. */
export type RoundTrip =
  | { readonly answered: true; readonly latencyMs: number }
  | { readonly answered: false; readonly busy: boolean; readonly detail: string };

export interface DatabaseLatency extends AsyncDisposable {
  /** A round trip made now; callers within one second share it. Settles within 1.5 s, whatever the database does. */
  now(): Promise<RoundTrip>;
  /** The last round trip that ended, without waiting for one. */
  last(): RoundTrip;
  /** Over the last five minutes, or less. */
  percentiles(withinMs?: number): Percentiles;
}

const intervalMs = 3000;
const freshMs = 1000;
const answerDeadlineMs = 1500;
/** A full pool with no connection returned for this long is not busy: the database hangs. */
const hangsAfterMs = 5000;
const spanMs = 5 * 60_000;
/** Requests may add to the background's samples, at most one a second. */
const capacity = spanMs / freshMs;

/** pg supports a time-out for a single query; its types do not. */
const boundedPing: pg.QueryConfig & { query_timeout: number } = {
  text: `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
  query_timeout: answerDeadlineMs,
};

/** A period in which the database did not answer, and which is over. */
interface Outage {
  readonly since: Date;
  /** In words. */
  readonly detail: string;
}

/**
 * Measures the round trip to the database every few seconds, and on request.
 * @param onRecovery called when the database answers again after it had answered before; a pool in full use is not an
 * outage
 */
export const watchDatabaseLatency = (
  pool: pg.Pool,
  log: Log,
  onRecovery: (outage: Outage) => void,
): DatabaseLatency => {
  const window = createLatencyWindow(spanMs, capacity);
  let last: RoundTrip = { answered: false, busy: false, detail: healthReasons['database-unasked'] };
  let lastAtMs = Number.NEGATIVE_INFINITY;

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
      if (trip.answered) log.info('the database responds');
      else log.warn({ detail: trip.detail }, 'the database does not respond');
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
  /** More callers want a connection than there are: the database may be fine, and we are the bottleneck. */
  const isBusy = (): boolean =>
    pool.waitingCount > 0 &&
    pool.totalCount >= pool.options.max &&
    performance.now() - returnedMs < hangsAfterMs;
  const unanswered = (detail: string): RoundTrip =>
    isBusy()
      ? {
          answered: false,
          busy: true,
          detail: healthReasons['database-busy'](pool.options.max),
        }
      : { answered: false, busy: false, detail };

  const measure = singleFlight(() =>
    roundTrip(pool)
      .catch((error: unknown) => unanswered(databaseFaultInWords(error)))
      .then(conclude),
  );

  const timer = setInterval(() => void measure(), intervalMs).unref();
  return {
    last: () => last,
    percentiles: (withinMs) => window.percentiles(performance.now(), withinMs),
    now: () =>
      performance.now() - lastAtMs < freshMs
        ? Promise.resolve(last)
        : within(answerDeadlineMs, measure(), () => unanswered(healthReasons['database-late'])),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await measure.underWay();
    },
  };
};

/** The wait for a free connection is not part of the latency, but it is bounded too. */
const roundTrip = async (pool: pg.Pool): Promise<RoundTrip> => {
  const client = await pool.connect();
  const begunMs = performance.now();
  let isReadOnly: boolean;
  try {
    const { rows } = await client.query<{ isReadOnly: boolean }>(boundedPing);
    isReadOnly = rows[0]?.isReadOnly === true;
  } catch (error) {
    client.release(true);
    throw error;
  }
  const latencyMs = performance.now() - begunMs;
  client.release();
  // As useless as one that is away: nothing can be saved.
  if (isReadOnly) return { answered: false, busy: false, detail: healthReasons['database-read-only'] };
  return { answered: true, latencyMs };
};
