import type { Express } from 'express';
import { answerProblems, nameRequests } from '#runtime/http/problems.ts';
import { createApp, createRoutes, refuseUnknown } from '#runtime/http/routes.ts';
import { createAuthorize } from './access/authorize.ts';
import { authenticateBot } from './access/internal-secret.ts';
import { bindAgentsRoutes } from './agents/agents.routes.ts';
import { agentsHealthOf } from './agents/agents.ts';
import { bindBotLinkRoutes } from './bot-link/bot-link.routes.ts';
import type { Context } from './context.ts';
import { bindDatabaseRoutes, databaseHealthOf } from './database/database.routes.ts';
import { bindHealthRoutes } from './health/health.routes.ts';
import { queuesHealthOf } from './health/health.ts';
import { securityHeaders } from './http/security-headers.ts';
import { bindLicenseRoutes } from './license/license.routes.ts';
import { licenseGate } from './license/license-gate.ts';
import { bindMetricsRoutes } from './metrics/metrics.routes.ts';
import { bindOpenApiRoutes } from './openapi/openapi.routes.ts';
import { bindQueuesRoutes } from './queues/queues.routes.ts';

/** Everything bound, in the order in which a request meets it. */
export const createApiApp = (context: Context): Express => {
  const { config, log, license, refusal, database, latency, obstacle, workers } = context;
  const { botLink, agents, metrics, panelFiles, queueCounts } = context;

  const app = createApp(config.trustProxy);
  app.use(nameRequests);
  app.use(metrics.observe);
  app.use(securityHeaders);
  app.use(licenseGate({ refusal, isPanelFile: panelFiles.has }));
  app.use(panelFiles.serve);

  const routes = createRoutes(app, {
    authorize: createAuthorize([authenticateBot(config.internalApiSecret)]),
  });
  const databaseHealth = async () => databaseHealthOf(await latency.now(), obstacle());
  bindHealthRoutes(routes, {
    database: databaseHealth,
    workersRun: () => workers.running,
    bot: botLink.health,
    agents: () => agentsHealthOf(agents.readings()),
    license: () => license.status().state,
  });
  bindQueuesRoutes(routes, {
    counts: queueCounts,
    status: async () => queuesHealthOf(await databaseHealth(), workers.running).status,
  });
  bindDatabaseRoutes(routes, { pool: database.pool, latency, obstacle });
  bindAgentsRoutes(routes, agents);
  bindLicenseRoutes(routes, license.status);
  bindBotLinkRoutes(routes, botLink);
  bindMetricsRoutes(routes, metrics);
  bindOpenApiRoutes(routes);

  refuseUnknown(app, routes);
  app.use(answerProblems(log));
  return app;
};
