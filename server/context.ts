import { join } from 'node:path';
import { agentProgramsFolder } from '#contracts/agent-downloads.ts';
import { agentCloseCodes } from '#contracts/agent-protocol.ts';
import type { ComponentHealth, StackHealth } from '#contracts/health.ts';
import { liveCloseCodes } from '#contracts/live.ts';
import type { LogsUsage } from '#contracts/logs.ts';
import { type Database, openDatabase, ping } from '#runtime/database/pool.ts';
import { logsFolder } from '#runtime/home.ts';
import type { LicenseClient } from '#runtime/license/license-client.ts';
import { openLicenseFromConfig } from '#runtime/license/open-from-config.ts';
import type { Log } from '#runtime/log.ts';
import type { Problem } from '#runtime/problem.ts';
import type { LocalOwner } from '#runtime/program.ts';
import { createRedactor } from '#runtime/redact.ts';
import { type StackConfig, stackSecrets } from '#runtime/stack-config.ts';
import { version } from '#runtime/version.ts';
import { totpSecretColumn } from './admins/second-factor.ts';
import { type AgentPrograms, openAgentPrograms } from './agent-downloads/agent-programs.ts';
import { agentsHealthOf } from './agents/agents.ts';
import { enrolmentCodeColumn } from './agents/enrolment/enrolment-code.ts';
import { agentSecretColumn } from './agents/own-secret.ts';
import { readReleaseOffer } from './agents/release-offer.ts';
import { createReadOrigin } from './agents/request-origin.ts';
import { type Backups, createBackups } from './backups/backups.ts';
import { type BotLink, createBotLink } from './bot-link/bot-link.ts';
import { type ComponentLogs, createComponentLogs } from './component-logs/component-logs.ts';
import { createBringUp } from './database/bring-up.ts';
import { coalesceReads } from './database/coalesce-reads.ts';
import { type DatabaseLatency, watchDatabaseLatency } from './database/latency.ts';
import { migrations } from './database/migrations.ts';
import { listenConnections, type Notifications, openNotifications } from './database/notifications.ts';
import { createSchemaUpgrade } from './database/schema-upgrade.ts';
import type { Tables } from './database/tables.ts';
import { discordTokenColumn } from './discord/discord-token.ts';
import { createDiscordServices, type DiscordServices } from './discord-services.ts';
import { countEvents } from './events/event-count.ts';
import { createEventRecorder } from './events/event-recorder.ts';
import { createEventsTopic } from './events/events-topic.ts';
import { rconPasswordColumn } from './game-servers/rcon-password.ts';
import { createGameServices, type GameServices, type GameServicesOptions } from './game-services.ts';
import { databaseHealthOf } from './health/database.routes.ts';
import { type DiskWatch, watchDisk } from './health/disk-watch.ts';
import { readStackHealth } from './health/health.routes.ts';
import { createHealthTopic } from './health/health-topic.ts';
import { exposureWarning } from './http/exposure.ts';
import { createIdentity, type Identity } from './identity.ts';
import { licenseRefusal } from './license/license-gate.ts';
import { createLive, type Live, type LiveOptions } from './live/live.ts';
import { readLogsUsage } from './logs/log-usage.ts';
import { maintenanceWorker, scheduleMaintenance } from './maintenance/maintenance.ts';
import { createMerging } from './members/merging.ts';
import { createMetricHistory, type MetricHistory } from './metric-history/metric-history.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { openPanelFiles, type PanelFiles } from './panel-files/panel-files.ts';
import { moveBetweenWallets } from './points/ledger-entries.ts';
import { createJobSender, type JobSender } from './queues/job-sender.ts';
import { createQueueControl, type QueueControl } from './queues/queue-control.ts';
import { readQueueCounts, readQueueDepth } from './queues/queue-counts.ts';
import { startQueueEngine, stopQueueEngine } from './queues/queue-engine.ts';
import { createQueuePauses } from './queues/queue-pauses.ts';
import { createWorkers, type WorkerDeclaration, type Workers } from './queues/workers.ts';
import { inspectSecrets } from './secrets/inspect-secrets.ts';
import { reencryptionWorker } from './secrets/reencryption.ts';
import type { DescribedColumn } from './secrets/sealed-column.ts';
import { createSecrets, type Secrets } from './secrets/secrets.ts';
import { createSecretsHealth } from './secrets/secrets-health.ts';
import { createSettings, type Settings } from './settings/settings.ts';
import { settingsSecrets } from './settings/settings-secrets.ts';
import { createStore, type Store } from './store.ts';

/** What the API needs of the license client: the state at this moment, word of its changes, and a question to the portal. */
export type LicenseSource = Pick<LicenseClient, 'status' | 'subscribe' | 'checkNow'> & AsyncDisposable;

/** Every column whose values are sealed; what is not here is neither counted nor re-encrypted. */
const sealedColumns: readonly DescribedColumn[] = [
  settingsSecrets,
  totpSecretColumn,
  rconPasswordColumn,
  discordTokenColumn,
  agentSecretColumn,
  enrolmentCodeColumn,
];

/** What a test may put in the place of the real thing. */
export interface Overrides {
  readonly license?: LicenseSource;
  readonly migrations?: typeof migrations;
  readonly workers?: readonly WorkerDeclaration[];
  readonly live?: Pick<LiveOptions, 'heartbeatMs'>;
  readonly polling?: GameServicesOptions['polling'];
  /** The clock of sign-ins: milliseconds since 1970. */
  readonly now?: () => number;
}

export interface ContextOptions {
  readonly config: StackConfig;
  readonly home: string;
  /** Where the programs lie; the built panel lies beside them. */
  readonly programsFolder: string;
  readonly log: Log;
  /** As the supervisor told; nobody without one. */
  readonly localOwner?: () => LocalOwner | null;
  readonly overrides?: Overrides;
}

export interface Context extends AsyncDisposable, DiscordServices {
  readonly config: StackConfig;
  readonly log: Log;
  readonly license: LicenseSource;
  /** Null while the license lets requests pass. */
  readonly refusal: (isLocal?: () => boolean) => Problem | null;
  readonly database: Database<Tables>;
  readonly latency: DatabaseLatency;
  readonly databaseHealth: () => Promise<ComponentHealth>;
  readonly stackHealth: () => Promise<StackHealth>;
  readonly disk: DiskWatch;
  readonly backups: Backups;
  readonly logsUsage: () => Promise<LogsUsage>;
  readonly componentLogs: ComponentLogs;
  /** Whoever holds it ends it before the listener, which waits for its connections. */
  readonly live: Live;
  readonly identity: Identity;
  readonly gameServices: GameServices;
  /** Why the database cannot be used, in words; null when it can. */
  readonly obstacle: () => string | null;
  readonly queueCounts: () => ReturnType<typeof readQueueCounts>;
  readonly metricHistory: MetricHistory;
  readonly workers: Workers;
  readonly jobs: JobSender;
  readonly queueControl: QueueControl;
  readonly store: Store;
  readonly notifications: Notifications;
  readonly secrets: Secrets;
  readonly sealedColumns: readonly DescribedColumn[];
  readonly settings: Settings;
  readonly botLink: BotLink;
  readonly metrics: Metrics;
  readonly panelFiles: PanelFiles;
  readonly agentPrograms: AgentPrograms;
  /** Begins to bring the database into use, in the background. */
  begin(): void;
}

/** Everything that the API consists of, built in the order in which it depends on one another. */
export const createContext = async (options: ContextOptions): Promise<Context> => {
  const { config, home, programsFolder, log, overrides = {} } = options;
  await using building = new AsyncDisposableStack();

  const license = building.use(overrides.license ?? (await openLicenseFromConfig(config, { home, log })));
  const refusal = (isLocal?: () => boolean) => licenseRefusal(license.status(), isLocal);
  const panelFiles = await openPanelFiles(join(programsFolder, 'panel'), refusal);

  const database = building.use(
    openDatabase<Tables>({
      url: config.databaseUrl,
      applicationName: 'castellan-api',
      log,
      reservedConnections: listenConnections,
    }),
  );
  const { pool, db } = database;
  const bringUp = createBringUp(log);
  const { obstacle } = bringUp;
  const events = building.use(createEventRecorder(db, obstacle, log));
  const latency = building.use(
    watchDatabaseLatency(pool, log, ({ since, detail }) =>
      events.record('database.recovered', { unreachableSince: since.toISOString(), fault: detail }),
    ),
  );

  const notifications = building.use(openNotifications(config.databaseUrl, log));
  const keys = [config.configEncryptionKey, ...config.previousKeys] as const;
  const secrets = createSecrets(keys);
  const settings = createSettings({ db, secrets, notifications });

  const retentionDays = { audit: config.auditLogRetentionDays, events: config.eventLogRetentionDays };
  const merging = createMerging(moveBetweenWallets);
  const gameServices = building.use(
    createGameServices({
      db,
      merging,
      secrets,
      notifications,
      events,
      log,
      license: { holds: () => refusal() === null, maxClusters: () => license.status().maxClusters },
      retentionDays: retentionDays.events,
      uploadsFolder: join(home, 'agent-uploads'),
      agents: {
        secret: config.gameAgentSecret,
        readOrigin: createReadOrigin(config.trustProxy),
        offerRelease: await readReleaseOffer(join(programsFolder, agentProgramsFolder), log),
        allowPlain: async () => (await settings.values('agents')).allowPlainAgents,
        wallNow: overrides.now ?? Date.now,
      },
      power: async () => {
        const [{ language }, { countdownSeconds }] = await Promise.all([
          settings.values('general'),
          settings.values('power'),
        ]);
        return { language, countdownSeconds };
      },
      ...(overrides.polling && { polling: overrides.polling }),
    }),
  );
  const identity = createIdentity({
    db,
    config,
    home,
    log,
    secrets,
    events,
    localOwner: options.localOwner ?? (() => null),
    now: overrides.now ?? Date.now,
  });
  const jobs = createJobSender();
  const pauses = createQueuePauses(db);
  const store = building.use(
    createStore({
      db,
      merging,
      games: gameServices,
      jobs,
      pauses,
      settings,
      discordAdmins: identity.discordRights.adminLinks,
      licenseHolds: () => refusal() === null,
      home,
      log,
    }),
  );
  const queueControl = createQueueControl({ db, deliveries: store.deliveries.desk, pauses });
  const queueCounts = coalesceReads(() => readQueueCounts(db), obstacle);
  const metricHistory = building.use(
    createMetricHistory({
      db,
      sources: {
        players: () => gameServices.directory.all().map(({ id }) => gameServices.presence.count(id)),
        databaseMs: (withinMs) => latency.percentiles(withinMs).p50Ms,
        queueDepth: coalesceReads(() => readQueueDepth(db), obstacle),
        countEvents: (since) => countEvents(db, since),
      },
      log,
    }),
  );
  const workers = createWorkers(
    overrides.workers ?? [
      maintenanceWorker({
        db,
        retentionDays,
        tasks: [...gameServices.maintenance, metricHistory.maintenance, ...store.deliveries.maintenance],
        log,
      }),
      store.deliveries.worker,
      reencryptionWorker({ db, columns: sealedColumns, secrets, log }),
    ],
    log,
  );
  const botLink = createBotLink((from, { state, detail }) =>
    events.record('bot.state-changed', { from, to: state, detail }),
  );
  const discordServices = building.use(
    createDiscordServices({
      db,
      config,
      home,
      keys,
      secrets,
      settings,
      changeRights: identity.changeRights,
      games: gameServices,
      guildMembers: store.guildMembers,
      bot: botLink.last,
      licenseHolds: () => refusal() === null,
      log,
    }),
  );
  const disk = building.use(watchDisk(home, events, log));
  const backups = building.use(
    createBackups({
      home,
      programsFolder,
      databaseUrl: config.databaseUrl,
      pool,
      db,
      obstacle,
      events,
      log,
      now: overrides.now ?? Date.now,
    }),
  );
  const databaseHealth = async () => databaseHealthOf(await latency.now(), obstacle());
  const secretsHealth = createSecretsHealth(() => inspectSecrets(db, sealedColumns, secrets), obstacle);
  const stackHealth = () =>
    readStackHealth({
      database: databaseHealth,
      exposure: exposureWarning(config),
      workersRun: () => workers.running,
      bot: botLink.health,
      agents: () => agentsHealthOf(gameServices.agents.readings()),
      secrets: secretsHealth,
      disk: disk.health,
      backups: backups.health,
      license: () => license.status().state,
    });
  const componentLogs = createComponentLogs({
    folder: logsFolder(home),
    redact: createRedactor(stackSecrets(config)),
    log,
  });
  const live = createLive({
    topics: {
      events: createEventsTopic(db, log),
      health: createHealthTopic(stackHealth, log),
      figures: metricHistory.topic,
      log: componentLogs.topic,
      deliveries: store.deliveries.topic,
      ...gameServices.topics,
    },
    tickets: identity.tickets,
    renewActor: identity.refresh,
    accessChanges: identity.changes,
    log,
    ...overrides.live,
  });

  let licenseState = license.status().state;
  const followLicense = () => {
    const problem = refusal();
    if (problem) {
      workers.pause(problem.code);
      live.closeAll(liveCloseCodes.licenseRejected, problem.code);
      gameServices.agents.closeAll(agentCloseCodes.licenseRejected, problem.code);
    } else workers.resume();
    gameServices.reconsider();
    const { state: to, code } = license.status();
    if (to !== licenseState) events.record('license.changed', { from: licenseState, to, code });
    licenseState = to;
  };
  followLicense();
  building.defer(license.subscribe(followLicense));

  const upgradeSchema = createSchemaUpgrade({
    pool,
    migrations: overrides.migrations ?? migrations,
    folders: { data: join(home, 'postgres', 'data'), backups: join(home, 'backups') },
    log,
  });
  const running = building.use(new AsyncDisposableStack());
  const prepare = async () => {
    await upgradeSchema();
    await identity.prepare();
    await gameServices.prepare();
    await metricHistory.prepare();
    await discordServices.prepare();
    const boss = await startQueueEngine({ pool, notifications, log });
    running.defer(() => stopQueueEngine(boss));
    running.use(workers);
    running.use(scheduleMaintenance(boss, retentionDays, log));
    workers.attach(boss);
    jobs.attach(boss);
    await pauses.refresh();
    await store.prepare();
    metricHistory.begin();
    backups.begin();
    events.record('stack.started', { version });
  };
  // Ends before what it prepares.
  building.use(bringUp);

  const owned = building.move();
  return {
    config,
    log,
    license,
    refusal,
    database,
    latency,
    obstacle,
    queueCounts,
    metricHistory,
    workers,
    jobs,
    queueControl,
    store,
    notifications,
    secrets,
    sealedColumns,
    settings,
    databaseHealth,
    stackHealth,
    disk,
    backups,
    logsUsage: coalesceReads(() => readLogsUsage(db, retentionDays), obstacle),
    componentLogs,
    live,
    identity,
    gameServices,
    botLink,
    ...discordServices.services,
    metrics: createMetrics({
      databaseRoundTrip: latency.last,
      queueCounts,
      botTraffic: () => botLink.last()?.traffic ?? null,
    }),
    panelFiles,
    agentPrograms: openAgentPrograms(programsFolder),
    begin() {
      bringUp.begin({ reach: () => ping(db), prepare });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
