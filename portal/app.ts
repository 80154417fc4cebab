import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import { answerProblems, nameRequests } from '#runtime/http/problems.ts';
import { createApp, createRoutes, refuseUnknown } from '#runtime/http/routes.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import type { Secret } from '#runtime/secret.ts';
import type { PortalContext } from './context.ts';
import { AccountFault } from './customers/account-page.tsx';
import { bindCustomerPages } from './customers/bind-customer-pages.tsx';
import { customerRoutes } from './customers/customers.routes.ts';
import { isDatabaseUnavailable } from './database/database-fault.ts';
import { healthRoutes } from './health.routes.ts';
import { licenseRoutes } from './licenses/licenses.routes.ts';
import { metricsRoutes } from './metrics/metrics.routes.ts';
import { createMetrics } from './metrics/metrics.ts';
import { openApiRoutes } from './openapi/openapi.routes.ts';
import { bindAssets } from './pages/assets.routes.ts';
import { bindLanguageSwitch } from './pages/language-switch.routes.ts';
import { bindUnknownPages } from './pages/unknown-pages.ts';
import { purchaseRoutes } from './purchases/purchases.routes.ts';
import { limitMalformed } from './rate-limits/malformed-requests.ts';
import { signingKeyRoutes } from './signing-keys/signing-keys.routes.ts';
import { bindVendorPages } from './vendor/pages/bind-vendor-pages.tsx';

/** Twice the largest token; no valid request needs more. */
const bodyLimit = 16 * 1024;

export const createPortalApp = (
  context: PortalContext,
  options: {
    readonly trustProxy: number | readonly string[] | false;
    /** The address at which browsers reach the portal; null if unknown. */
    readonly publicUrl?: string | null;
    /** Null: metrics can be read on this machine only. */
    readonly metricsToken?: Secret | null;
    /** Aborted once the process is asked to stop but still accepts requests for a while; null if it does not wait. */
    readonly stopping?: AbortSignal | null;
    readonly log: Log;
  },
): Express => {
  const { trustProxy, publicUrl = null, metricsToken = null, stopping = null, log } = options;
  const app = createApp(trustProxy);
  const metrics = createMetrics(context, stopping);
  app.use(nameRequests);
  app.use(metrics.observe);
  app.use(leaveWhenStopping(stopping));
  const routes = createRoutes(app, { authorize: () => null, bodyLimit });
  licenseRoutes(routes, metrics.countAnswers(context.licenses));
  signingKeyRoutes(routes, context.keyRing);
  purchaseRoutes(routes, context.webhooks);
  customerRoutes(routes, context.customers);
  healthRoutes(routes, context, stopping);
  metricsRoutes(routes, metrics, metricsToken);
  openApiRoutes(routes);
  bindAssets(app);
  bindLanguageSwitch(app, { publicUrl, log, errorPage: AccountFault });
  bindCustomerPages(app, context.customers, { publicUrl, log });
  bindVendorPages(app, context.vendorArea, { publicUrl, log });
  bindUnknownPages(app, { publicUrl, log, errorPage: AccountFault });
  refuseUnknown(app, routes);
  app.use(limitMalformed(context.countMalformed));
  app.use(nameDatabaseAway);
  app.use(answerProblems(log));
  return app;
};

/** Otherwise a client that keeps its connection open would send its next request when no one is listening. */
const leaveWhenStopping =
  (stopping: AbortSignal | null): RequestHandler =>
  (_request, response, next) => {
    if (stopping?.aborted) response.set('Connection', 'close');
    next();
  };

/** A database that is unreachable or too slow is a passing problem; clients are told to retry. */
const nameDatabaseAway: ErrorRequestHandler = (error, _request, _response, next) => {
  next(isDatabaseUnavailable(error) ? new Problem('DATABASE_UNAVAILABLE', { cause: error }) : error);
};
