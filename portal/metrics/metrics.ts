import type { RequestHandler, Response } from 'express';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Endpoint } from '#contracts/kernel/http.ts';
import type { PortalTables } from '../database/tables.ts';
import { withTimeout } from '../database/with-timeout.ts';
import type { LicenseAnswer } from '../licenses/license-answer.ts';
import type { LicenseStatistics } from '../licenses/license-statistics.ts';
import type { LicenseFeature } from '../licenses/licenses.routes.ts';

/** What waits in the database, and for how long. */
interface Backlog {
  readonly mailsDue: number;
  /** The age of the oldest due mail; 0 if there is none. */
  readonly oldestMailSeconds: number;
  readonly mailsGivenUp: number;
  readonly purchasesUnprocessed: number;
  readonly purchasesWaiting: number;
  /** How long the active key has been signing; null if there is none. */
  readonly signingKeySeconds: number | null;
  readonly nextKeys: number;
}

/** Every part is answered from an index of waiting rows, never from all rows. */
const readBacklog = async (db: Kysely<PortalTables>, now: Date): Promise<Backlog> => {
  const { rows } = await sql<Backlog>`
    select
      due.mails as "mailsDue",
      due.seconds as "oldestMailSeconds",
      (select count(*)::int from mail_outbox where state = 'given_up') as "mailsGivenUp",
      (select count(*)::int from webhook_events where outcome = 'unprocessed') as "purchasesUnprocessed",
      (select count(*)::int from webhook_events where outcome = 'waiting') as "purchasesWaiting",
      (
        select extract(epoch from ${now}::timestamptz - coalesce(activated_at, created_at))::float8
        from signing_keys where state = 'active' and struck_at is null
      ) as "signingKeySeconds",
      (select count(*)::int from signing_keys where state = 'next' and struck_at is null) as "nextKeys"
    from (
      select count(*)::int as mails,
        greatest(coalesce(extract(epoch from ${now}::timestamptz - min(created_at)), 0), 0)::float8 as seconds
      from mail_outbox where state = 'due'
    ) as due`.execute(db);
  const [backlog] = rows;
  if (!backlog) throw new Error('a count came back empty');
  return backlog;
};

interface DatabaseSources {
  readonly db: Kysely<PortalTables>;
  readonly pool: pg.Pool;
  /** The license counts are those of the vendor's overview: taken once a minute for all processes together. */
  readonly vendorArea: { figures(): Promise<LicenseStatistics | null>; now(): Date };
}

interface Reading {
  readonly backlog: Backlog;
  readonly taken: LicenseStatistics | null;
}

/** Gauges from the database. While it is unreachable they are absent, rather than showing old figures. */
const databaseGauges = (registry: Registry, { db, pool, vendorArea }: DatabaseSources) => {
  const gauge = <const Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `castellan_portal_${name}`, help, labelNames, registers: [registry] });
  const up = gauge('database_up', 'Whether the database answered this question in time');
  const connections = gauge('database_connections', 'Connections of this process, and what waits for one', [
    'state',
  ]);
  const mails = gauge('mails', 'Mails that are due or were given up', ['state']);
  const oldestMail = gauge('mail_oldest_due_seconds', 'Age of the oldest mail that is not sent yet');
  const purchases = gauge(
    'purchase_events',
    'Purchase events that wait for their purchase, or for the vendor',
    ['outcome'],
  );
  const keyAge = gauge(
    'signing_key_age_seconds',
    'Since when the active key signs; absent when there is none',
  );
  const nextKeys = gauge('signing_keys_next', 'Keys that are published and can follow the active one');
  const licenses = gauge('licenses', 'Licenses by their state', ['state']);
  const machines = gauge('machines', 'Machines of active licenses; in_grace: of these, the ones overdue', [
    'state',
  ]);
  const labelled = [mails, purchases, licenses, machines];
  const plain = [oldestMail, keyAge, nextKeys];

  const forget = () => {
    for (const each of labelled) each.reset();
    // Resetting one without labels would set it to 0.
    for (const each of plain) each.remove();
  };
  const showPool = () => {
    connections.set({ state: 'open' }, pool.totalCount);
    connections.set({ state: 'idle' }, pool.idleCount);
    connections.set({ state: 'waiting' }, pool.waitingCount);
  };
  const showFigures = ({ figures }: LicenseStatistics) => {
    const { active, expired, suspended, revoked, bound, inGrace } = figures;
    for (const [state, count] of Object.entries({ active, expired, suspended, revoked }))
      licenses.set({ state }, count);
    machines.set({ state: 'bound' }, bound);
    machines.set({ state: 'in_grace' }, inGrace);
  };

  return {
    /** @throws if the database does not answer in time; a count of all licenses may be late, and is then left out */
    read: async (): Promise<Reading> => ({
      backlog: await withTimeout(readBacklog(db, vendorArea.now())),
      taken: await withTimeout(vendorArea.figures()).catch(() => null),
    }),
    show({ backlog, taken }: Reading): void {
      forget();
      showPool();
      up.set(1);
      mails.set({ state: 'due' }, backlog.mailsDue);
      mails.set({ state: 'given_up' }, backlog.mailsGivenUp);
      oldestMail.set(backlog.oldestMailSeconds);
      purchases.set({ outcome: 'unprocessed' }, backlog.purchasesUnprocessed);
      purchases.set({ outcome: 'waiting' }, backlog.purchasesWaiting);
      if (backlog.signingKeySeconds !== null) keyAge.set(backlog.signingKeySeconds);
      nextKeys.set(backlog.nextKeys);
      if (taken) showFigures(taken);
    },
    showAway(): void {
      showPool();
      up.set(0);
      forget();
    },
  };
};

export interface Metrics {
  /** Counts and times every request, by route: never by path, which strangers choose. */
  readonly observe: RequestHandler;
  /** The same feature, with its answers counted. */
  countAnswers(feature: LicenseFeature): LicenseFeature;
  text(): Promise<string>;
}

const durationBucketsSeconds = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** @param stopping aborted once the process is asked to stop; null if nothing will */
export const createMetrics = (sources: DatabaseSources, stopping: AbortSignal | null): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  const durations = new Histogram({
    name: 'castellan_portal_http_request_duration_seconds',
    help: 'From the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: durationBucketsSeconds,
    registers,
  });
  const answers = new Counter({
    name: 'castellan_portal_license_answers_total',
    help: 'Answers to activate and validate, by their code',
    labelNames: ['operation', 'code'] as const,
    registers,
  });
  new Gauge({
    name: 'castellan_portal_stopping',
    help: 'Whether the process was asked to stop',
    registers,
    collect() {
      this.set(stopping?.aborted ? 1 : 0);
    },
  });
  const database = databaseGauges(registry, sources);
  let measuresProcess = false;

  const counted =
    <Request>(
      operation: 'activate' | 'validate',
      answer: (request: Request, address: string) => Promise<LicenseAnswer>,
    ) =>
    async (request: Request, address: string): Promise<LicenseAnswer> => {
      const given = await answer(request, address);
      answers.inc({ operation, code: codeOf(given) });
      return given;
    };

  return {
    observe(request, response, next) {
      const begunMs = performance.now();
      response.once('finish', () => {
        durations.observe(
          { method: methodOf(request.method), route: routeOf(response), status: response.statusCode },
          (performance.now() - begunMs) / 1000,
        );
      });
      next();
    },
    countAnswers: ({ activate, validate, revocationNumber }) => ({
      activate: counted('activate', activate),
      validate: counted('validate', validate),
      revocationNumber,
    }),
    async text() {
      // A portal without monitoring does not measure its event loop.
      if (!measuresProcess) collectDefaultMetrics({ register: registry });
      measuresProcess = true;
      await database.read().then(database.show, database.showAway);
      return registry.metrics();
    },
  };
};

const codeOf = (answer: LicenseAnswer): string => {
  if (answer.outcome === 'refused') return answer.code;
  return answer.outcome === 'token' ? 'OK' : 'RATE_LIMITED';
};

/** Node accepts some thirty others, and anyone may send them. */
const usualMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

const methodOf = (method: string): string => (usualMethods.has(method) ? method : 'other');

/** Areas of pages, which have no endpoints. */
const pageAreas: ReadonlySet<string> = new Set(['/account', '/admin', '/assets']);

const routeOf = (response: Response): string => {
  const endpoint = response.locals.endpoint as Endpoint | undefined;
  if (endpoint) return endpoint.path;
  const [area = ''] = /^\/\w*/.exec(response.req.originalUrl) ?? [];
  return pageAreas.has(area) ? area : 'none';
};
