import type { Express } from 'express';
import { answerProblems, nameRequests } from '#runtime/http/problems.ts';
import { createApp, refuseUnknown } from '#runtime/http/routes.ts';
import type { Context } from './composition/context.ts';
import { bindBotLinkRoutes } from './discord/bot-link/bot-link.routes.ts';
import { bindChatRelayRoutes } from './discord/chat-relay/chat-relay.routes.ts';
import { bindDiscordRoutes } from './discord/discord.routes.ts';
import { bindDiscordEventsRoutes } from './discord/discord-events/discord-events.routes.ts';
import { bindDiscordRightsRoutes } from './discord/discord-rights/discord-rights.routes.ts';
import { bindDiscordStatusRoutes } from './discord/discord-status/discord-status.routes.ts';
import { nameCookiesFor } from './identity/sessions/session-cookies.ts';
import { type ApiRoutes, createApiRoutes, createAuthorize } from './kernel/access/authorize.ts';
import { createEndWithRights } from './kernel/access/end-with-rights.ts';
import { bindAuditRoutes } from './kernel/audit/audit.routes.ts';
import { coalesceReads } from './kernel/database/coalesce-reads.ts';
import { mapDatabaseErrors } from './kernel/database/map-database-errors.ts';
import { bindEventsRoutes } from './kernel/events/events.routes.ts';
import { noStore } from './kernel/http/no-store.ts';
import { securityHeaders } from './kernel/http/security-headers.ts';
import { bindLogsRoutes } from './kernel/logs/logs.routes.ts';
import { bindOpenApiRoutes } from './kernel/openapi/openapi.routes.ts';
import { bindQueuesRoutes } from './kernel/queues/queues.routes.ts';
import { bindSecretsRoutes } from './kernel/secrets/secrets.routes.ts';
import { bindLicenseRoutes } from './license/license.routes.ts';
import { createLicenseCheck, createPortalQuestion, type PortalQuestion } from './license/license-check.ts';
import { licenseGate } from './license/license-gate.ts';
import { bindBackupsRoutes } from './operations/backups/backups.routes.ts';
import { bindCommunityRoutes } from './operations/community/community.routes.ts';
import { bindComponentLogsRoutes } from './operations/component-logs/component-logs.routes.ts';
import { bindDatabaseRoutes } from './operations/health/database.routes.ts';
import { bindHealthRoutes } from './operations/health/health.routes.ts';
import { queuesHealthOf } from './operations/health/health.ts';
import { bindMetricHistoryRoutes } from './operations/metric-history/metric-history.routes.ts';
import { bindMetricsRoutes } from './operations/metrics/metrics.routes.ts';
import { bindSettingsRoutes } from './operations/settings/settings.routes.ts';
import { bindOperationsRoutes } from './operations/waiting/operations.routes.ts';
import { readMemberNames } from './people/members/member-names.ts';
import { readPlayers } from './people/players/read-players.ts';
import { bindTimelinesRoutes } from './people/timelines/timelines.routes.ts';
import { createTimelines } from './people/timelines/timelines.ts';
import { bindAgentDownloadsRoutes } from './servers/agent-downloads/agent-downloads.routes.ts';
import { bindAgentsRoutes } from './servers/agents/agents.routes.ts';
import { bindServerFiguresRoutes } from './servers/server-figures/server-figures.routes.ts';
import { isShopWebhook } from './storefronts/shops/is-shop-webhook.ts';

/** Everything bound, in the order in which a request meets it. */
export const createApiApp = (context: Context): Express => {
  const { config, log, refusal, monitoring, panelFiles, identity } = context;

  const app = createApp(config.trustProxy);
  nameCookiesFor(app, config.instanceId);
  app.use(nameRequests);
  app.use(monitoring.metrics.observe);
  app.use(securityHeaders(config.tls !== undefined));
  app.use('/api', noStore);
  const portal = createPortalQuestion(context.license);
  app.use(licenseGate({ refusal, isPanelFile: panelFiles.has, isWebhook: isShopWebhook, portal, log }));
  app.use(panelFiles.serve);

  const routes = createApiRoutes(app, {
    authorize: createAuthorize(identity.authenticators),
    watchDownload: createEndWithRights(identity),
  });
  bindFeatures(routes, context, portal);

  refuseUnknown(app, routes);
  app.use(mapDatabaseErrors(context.obstacle, monitoring.disk.full));
  app.use(answerProblems(log));
  return app;
};

/** Every endpoint of the API. */
export const bindFeatures = (
  routes: ApiRoutes,
  context: Context,
  portal: PortalQuestion = createPortalQuestion(context.license),
): void => {
  const { config, license, database, latency, obstacle, newerMigrations, workers } = context;
  const { botLink, monitoring, gameServices } = context;
  const { jobs, secrets, sealedColumns: columns, settings } = context;

  bindHealthRoutes(routes, monitoring.stackHealth);
  bindQueuesRoutes(routes, {
    counts: monitoring.queueCounts,
    status: async () => queuesHealthOf(await monitoring.databaseHealth(), workers.running).status,
    control: context.queueControl,
  });
  const { unprovenMs } = context.provenTime;
  bindDatabaseRoutes(routes, { pool: database.pool, latency, obstacle, newerMigrations, unprovenMs });
  bindAgentsRoutes(routes, gameServices.agents);
  bindAgentDownloadsRoutes(routes, {
    programs: context.agentPrograms,
    config,
    markDownloaded: gameServices.agents.enrolments.markDownloaded,
  });
  bindLicenseRoutes(routes, license.status, createLicenseCheck({ db: database.db, portal }));
  const { discord, discordSettings } = context;
  bindDiscordRoutes(routes, { discord, settings: discordSettings, apiUrl: config.discordApiUrl });
  bindDiscordEventsRoutes(routes, context.discordEvents);
  bindChatRelayRoutes(routes, context.chatRelay);
  bindDiscordStatusRoutes(routes, context.discordStatus);
  bindDiscordRightsRoutes(routes, {
    db: database.db,
    adminLinks: context.adminLinks,
    guildRoles: discord.guildRoles,
    onChange: context.store.roles.reconsider,
  });
  bindBotLinkRoutes(routes, botLink, coalesceReads(discord.revision, obstacle));
  bindBackupsRoutes(routes, context.backups, context.backupDownloads);
  bindOperationsRoutes(routes, context.waiting);
  bindSettingsRoutes(routes, settings);
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
  bindMetricHistoryRoutes(routes, context.metricHistory.read, obstacle);
  bindServerFiguresRoutes(routes, context.serverFigures);
  bindLogsRoutes(routes, monitoring.logsUsage);
  bindComponentLogsRoutes(routes, monitoring.componentLogs);
  bindMetricsRoutes(routes, monitoring.metrics);
  context.identity.bind(routes);
  gameServices.bind(routes);
  context.store.bind(routes);
  context.storefront.bind(routes);
  bindOpenApiRoutes(routes);
};
