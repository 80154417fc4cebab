import type { RequestHandler, Response } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BotTraffic } from '#contracts/discord/bot.ts';
import type { Endpoint } from '#contracts/kernel/http.ts';
import type { QueuesHealth } from '#contracts/operations/health.ts';
import { Problem } from '#runtime/problem.ts';
import type { RoundTrip } from '../../kernel/database/latency.ts';

/** Figures of timed purchases and their ends. */
export interface EndFigures {
  readonly taking: number;
  readonly giving: number;
  readonly unknown: number;
  readonly overdue: number;
  /** Null: none is due. */
  readonly oldestDueMs: number | null;
  /** Null: nothing follows them yet. */
  readonly silentMs: number | null;
}

/** @returns sets them from a reading; null: there was no reading, and they are left out */
const createEndGauges = (registry: Registry): ((figures: EndFigures | null) => void) => {
  const registers = [registry];
  const places = new Gauge({
    name: 'castellan_entitlement_places',
    help: 'Servers and players with a command of something that lasts, by state: taking, giving, or unknown, which waits for a person',
    labelNames: ['state'] as const,
    registers,
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const overdue = gauge(
    'castellan_entitlement_ends_overdue',
    'Ends that have been due for more than an hour',
  );
  const oldest = gauge(
    'castellan_entitlement_oldest_due_seconds',
    'How long the end that is due for longest has been due; 0 while none is',
  );
  const silence = gauge(
    'castellan_entitlement_silence_seconds',
    'Since the last sign of life of what follows the ends; absent until it begins',
  );
  return (figures) => {
    for (const each of [overdue, oldest, silence]) each.remove();
    places.reset();
    if (!figures) return;
    for (const state of ['taking', 'giving', 'unknown'] as const) places.set({ state }, figures[state]);
    overdue.set(figures.overdue);
    oldest.set((figures.oldestDueMs ?? 0) / 1000);
    if (figures.silentMs !== null) silence.set(figures.silentMs / 1000);
  };
};

/** Figures of the bans on their way to servers. */
export interface BanFigures {
  readonly banning: number;
  readonly lifting: number;
  readonly overdue: number;
  /** Null: none waits. */
  readonly oldestDueMs: number | null;
  /** Null: nothing sends them yet. */
  readonly silentMs: number | null;
}

/** @returns sets them from a reading; null: there was no reading, and they are left out */
const createBanGauges = (registry: Registry): ((figures: BanFigures | null) => void) => {
  const registers = [registry];
  const places = new Gauge({
    name: 'castellan_ban_places',
    help: 'Servers and players whose ban, or whose unban, is not there yet, by state: banning or lifting',
    labelNames: ['state'] as const,
    registers,
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const overdue = gauge('castellan_bans_overdue', 'Of these, those that wait for more than an hour');
  const oldest = gauge(
    'castellan_ban_oldest_due_seconds',
    'How long the one that waits longest has waited; 0 while none does',
  );
  const silence = gauge(
    'castellan_ban_silence_seconds',
    'Since the last sign of life of what brings bans to servers; absent until it begins',
  );
  return (figures) => {
    for (const each of [overdue, oldest, silence]) each.remove();
    places.reset();
    if (!figures) return;
    for (const state of ['banning', 'lifting'] as const) places.set({ state }, figures[state]);
    overdue.set(figures.overdue);
    oldest.set((figures.oldestDueMs ?? 0) / 1000);
    if (figures.silentMs !== null) silence.set(figures.silentMs / 1000);
  };
};

export interface Metrics {
  /** Counts and times every request, by route: never by path, which a stranger chooses. */
  readonly observe: RequestHandler;
  text(): Promise<string>;
}

const durationBucketsSeconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const createMetrics = (sources: {
  readonly databaseRoundTrip: () => RoundTrip;
  readonly queueCounts: () => Promise<QueuesHealth['queues']>;
  readonly ends: () => Promise<EndFigures>;
  readonly bans: () => Promise<BanFigures>;
  /** What the bot reports about its requests to Discord; null while it reports nothing, or is not signed in. */
  readonly botTraffic: () => BotTraffic | null;
  /** `remainingMs`: null when neither the license nor its grace period has an end. */
  readonly license: () => { readonly isInGrace: boolean; readonly remainingMs: number | null };
}): Metrics => {
  const { databaseRoundTrip, queueCounts, ends, bans, botTraffic, license } = sources;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'castellan_http_requests_total',
    help: 'Requests answered',
    labelNames,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'castellan_http_request_duration_seconds',
    help: 'From the first byte of a request to the end of its answer',
    labelNames,
    buckets: durationBucketsSeconds,
    registers: [registry],
  });
  new Gauge({
    name: 'castellan_database_up',
    help: 'Whether the database answered last',
    registers: [registry],
    collect() {
      this.set(databaseRoundTrip().answered ? 1 : 0);
    },
  });
  new Gauge({
    name: 'castellan_database_latency_seconds',
    help: 'The last round trip to the database; absent while it does not answer',
    registers: [registry],
    collect() {
      this.remove();
      const trip = databaseRoundTrip();
      if (trip.answered) this.set(trip.latencyMs / 1000);
    },
  });
  const jobs = new Gauge({
    name: 'castellan_queue_jobs',
    help: 'Jobs by queue and state; absent while the database does not answer',
    labelNames: ['queue', 'state'] as const,
    registers: [registry],
  });
  const failures = new Gauge({
    name: 'castellan_queue_failures_total',
    help: 'Failed tries by queue since the queue exists',
    labelNames: ['queue'] as const,
    registers: [registry],
  });

  const botGauges = [
    ['waiting', 'castellan_bot_requests_waiting', 'Requests to Discord that are not answered yet', 1],
    ['oldestWaitMs', 'castellan_bot_oldest_wait_seconds', 'How long the oldest of them has waited', 1000],
    ['failingChannels', 'castellan_bot_failing_channels', 'Channels in which the last message failed', 1],
  ] as const;
  for (const [figure, name, help, divisor] of botGauges)
    new Gauge({
      name,
      help: `${help}; absent while the bot is not signed in`,
      registers: [registry],
      collect() {
        this.remove();
        const traffic = botTraffic();
        if (traffic) this.set(traffic[figure] / divisor);
      },
    });

  new Gauge({
    name: 'castellan_license_in_grace',
    help: 'Whether the portal has not confirmed the license in time',
    registers: [registry],
    collect() {
      this.set(license().isInGrace ? 1 : 0);
    },
  });
  new Gauge({
    name: 'castellan_license_remaining_seconds',
    help: 'Until the license ends, or its grace period; absent when neither has an end',
    registers: [registry],
    collect() {
      this.remove();
      const { remainingMs } = license();
      if (remainingMs !== null) this.set(remainingMs / 1000);
    },
  });

  const setEnds = createEndGauges(registry);
  const setBans = createBanGauges(registry);

  const readQueues = async () => {
    jobs.reset();
    failures.reset();
    for (const { name, counts, failuresTotal } of await queueCounts()) {
      for (const [state, count] of Object.entries(counts)) jobs.set({ queue: name, state }, count);
      failures.set({ queue: name }, failuresTotal);
    }
  };

  return {
    observe(request, response, next) {
      const begunMs = performance.now();
      response.once('finish', () => {
        const labels = { method: request.method, route: routeOf(response), status: response.statusCode };
        requests.inc(labels);
        durations.observe(labels, (performance.now() - begunMs) / 1000);
      });
      next();
    },
    async text() {
      try {
        setEnds(null);
        setBans(null);
        await readQueues();
        setEnds(await ends());
        setBans(await bans());
      } catch (error) {
        // An unreachable database leaves out only its own figures.
        if (!(error instanceof Problem)) throw error;
      }
      return registry.metrics();
    },
  };
};

const routeOf = (response: Response): string => {
  const endpoint = response.locals.endpoint as Endpoint | undefined;
  return endpoint?.path ?? 'none';
};
