import type { RequestHandler, Response } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Endpoint } from '#contracts/kernel/http.ts';
import type { LicenseAnswer } from '../licenses/license-answer.ts';
import type { LicenseFeature } from '../licenses/licenses.routes.ts';
import { type DatabaseSources, databaseGauges } from './database-gauges.ts';

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
