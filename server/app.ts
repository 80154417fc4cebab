import type { Express } from 'express';
import { answerProblems, nameRequests } from '#runtime/http/problems.ts';
import { createApp, refuseUnknown } from '#runtime/http/routes.ts';
import type { Context } from './composition/context.ts';
import { nameCookiesFor } from './identity/sessions/session-cookies.ts';
import { type ApiRoutes, createApiRoutes, createAuthorize } from './kernel/access/authorize.ts';
import { createEndWithRights } from './kernel/access/end-with-rights.ts';
import { bindAuditRoutes } from './kernel/audit/audit.routes.ts';
import { mapDatabaseErrors } from './kernel/database/map-database-errors.ts';
import { bindEventsRoutes } from './kernel/events/events.routes.ts';
import { noStore } from './kernel/http/no-store.ts';
import { securityHeaders } from './kernel/http/security-headers.ts';
import { bindOpenApiRoutes } from './kernel/openapi/openapi.routes.ts';
import { bindSecretsRoutes } from './kernel/secrets/secrets.routes.ts';
import { readPlayers } from './people/players/read-players.ts';
import { isShopWebhook } from './storefronts/shops/is-shop-webhook.ts';

/** Everything bound, in the order in which a request meets it. */
export const createApiApp = (context: Context): Express => {
  const { config, log, license, operations, panelFiles, identity } = context;

  const app = createApp(config.trustProxy);
  nameCookiesFor(app, config.instanceId);
  app.use(nameRequests);
  app.use(operations.metrics.observe);
  app.use(securityHeaders(config.tls !== undefined));
  app.use('/api', noStore);
  app.use(license.gate({ isPanelFile: panelFiles.has, isWebhook: isShopWebhook }));
  app.use(panelFiles.serve);

  const routes = createApiRoutes(app, {
    authorize: createAuthorize(identity.authenticators),
    watchDownload: createEndWithRights(identity),
  });
  bindFeatures(routes, context);

  refuseUnknown(app, routes);
  app.use(mapDatabaseErrors(context.obstacle, operations.disk.full));
  app.use(answerProblems(log));
  return app;
};

/** Every endpoint of the API. */
export const bindFeatures = (routes: ApiRoutes, context: Context): void => {
  const { config, database, people, jobs, secrets, sealedColumns: columns } = context;

  context.operations.bind(routes);
  context.license.bind(routes, database);
  context.identity.bind(routes);
  context.servers.bind(routes);
  context.mods.bind(routes);
  people.bind(routes);
  context.store.bind(routes);
  context.storefronts.bind(routes);
  context.discord.bind(routes);
  bindSecretsRoutes(routes, { db: database.db, columns, secrets, jobs });
  bindAuditRoutes(routes, {
    db: database.db,
    retentionDays: config.auditLogRetentionDays,
    memberNames: people.memberNames,
    findPlayers: (text) => readPlayers(database.db, null, { text, beyond: null, limit: 100 }),
  });
  bindEventsRoutes(routes, database.db, config.eventLogRetentionDays);
  bindOpenApiRoutes(routes);
};
