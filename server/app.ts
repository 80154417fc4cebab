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
import { bindCommunityRoutes } from './operations/community/community.routes.ts';
import { readMemberNames } from './people/members/member-names.ts';
import { bindMembersRoutes } from './people/members/members.routes.ts';
import { readPlayers } from './people/players/read-players.ts';
import { bindTimelinesRoutes } from './people/timelines/timelines.routes.ts';
import { createTimelines } from './people/timelines/timelines.ts';
import { bindAgentDownloadsRoutes } from './servers/agent-downloads/agent-downloads.routes.ts';
import { bindAgentsRoutes } from './servers/agents/agents.routes.ts';
import { bindServerFiguresRoutes } from './servers/server-figures/server-figures.routes.ts';
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
  const { config, database, servers, jobs, secrets, sealedColumns: columns } = context;

  context.operations.bind(routes);
  bindAgentsRoutes(routes, servers.agents);
  bindAgentDownloadsRoutes(routes, {
    programs: context.agentPrograms,
    config,
    markDownloaded: servers.agents.enrolments.markDownloaded,
  });
  context.license.bind(routes, database);
  context.discordServices.bind(routes);
  bindCommunityRoutes(routes, context.community);
  bindSecretsRoutes(routes, { db: database.db, columns, secrets, jobs });
  bindAuditRoutes(routes, {
    db: database.db,
    retentionDays: config.auditLogRetentionDays,
    memberNames: (ids) => readMemberNames(database.db, ids),
    findPlayers: (text) => readPlayers(database.db, null, { text, beyond: null, limit: 100 }),
  });
  bindEventsRoutes(routes, database.db, config.eventLogRetentionDays);
  bindTimelinesRoutes(
    routes,
    createTimelines(database.db, {
      auditDays: config.auditLogRetentionDays,
      eventDays: config.eventLogRetentionDays,
    }),
  );
  bindServerFiguresRoutes(routes, servers.figures);
  context.identity.bind(routes);
  servers.bind(routes);
  context.mods.bind(routes);
  context.people.bind(routes);
  bindMembersRoutes(routes, context.members);
  context.store.bind(routes);
  context.discordPeople.bind(routes);
  context.storefronts.bind(routes);
  bindOpenApiRoutes(routes);
};
