import type { ErrorRequestHandler, Express } from 'express';
import { answerProblems, nameRequests } from '#runtime/http/problems.ts';
import { createApp, createRoutes, refuseUnknown } from '#runtime/http/routes.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import type { PortalContext } from './context.ts';
import { isDatabaseUnavailable } from './database/database-fault.ts';
import { healthRoutes } from './health.routes.ts';
import { licenseRoutes } from './licenses/licenses.routes.ts';
import { signingKeyRoutes } from './signing-keys/signing-keys.routes.ts';

export interface PortalAppOptions {
  readonly trustProxy: number | readonly string[] | false;
  readonly log: Log;
}

/** Twice the largest token; nothing that is sent here needs more. */
const bodyLimit = 16 * 1024;

export const createPortalApp = (context: PortalContext, { trustProxy, log }: PortalAppOptions): Express => {
  const app = createApp(trustProxy);
  app.use(nameRequests);
  const routes = createRoutes(app, { authorize: () => null, bodyLimit });
  licenseRoutes(routes, context.licenses);
  signingKeyRoutes(routes, context.keyRing);
  healthRoutes(routes, context.db);
  refuseUnknown(app, routes);
  app.use(nameDatabaseAway);
  app.use(answerProblems(log));
  return app;
};

/** A database that is away, or too slow, is no fault of ours and passes; clients are told to come again. */
const nameDatabaseAway: ErrorRequestHandler = (error, _request, _response, next) => {
  next(isDatabaseUnavailable(error) ? new Problem('DATABASE_UNAVAILABLE', { cause: error }) : error);
};
