import type { BotReport } from '#contracts/discord/bot.ts';
import type { LiveTopicName } from '#contracts/kernel/live.ts';
import { logsHttp } from '#contracts/kernel/logs.ts';
import type { LicenseStatus } from '#contracts/license/license-state.ts';
import type { ComponentHealth } from '#contracts/operations/health.ts';
import { observabilityHttp } from '#contracts/operations/observability.ts';
import { waitingHttp } from '#contracts/operations/waiting.ts';
import type { Database } from '#runtime/database/pool.ts';
import { logsFolder } from '#runtime/home.ts';
import { createRedactor } from '#runtime/redact.ts';
import { stackSecrets } from '#runtime/stack-config.ts';
import type { ApiRoutes } from '../kernel/access/authorize.ts';
import { coalesceReads } from '../kernel/database/coalesce-reads.ts';
import type { DatabaseLatency } from '../kernel/database/latency.ts';
import type { Tables } from '../kernel/database/tables.ts';
import type { EncryptionKeys } from '../kernel/encryption-keys/encryption-keys.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { LiveTopic } from '../kernel/live/live-topic.ts';
import { retentionDaysOf } from '../kernel/logs/log-retention.ts';
import { readLogsUsage } from '../kernel/logs/log-usage.ts';
import type { QueueControlOptions } from '../kernel/queues/queue-control.ts';
import { readQueueCounts, readQueueDepth } from '../kernel/queues/queue-counts.ts';
import { bindQueuesRoutes } from '../kernel/queues/queues.routes.ts';
import type { WorkerDeclaration, Workers } from '../kernel/queues/workers.ts';
import type { DescribedColumn } from '../kernel/secrets/sealed-column.ts';
import { createBackupDownloads } from './backups/backup-downloads.ts';
import { bindBackupsRoutes } from './backups/backups.routes.ts';
import { createBackups } from './backups/backups.ts';
import { waitingBackups } from './backups/backups-health.ts';
import { bindCommunityRoutes } from './community/community.routes.ts';
import type { CommunityProfile } from './community/community.ts';
import { bindComponentLogsRoutes } from './component-logs/component-logs.routes.ts';
import { createComponentLogs } from './component-logs/component-logs.ts';
import { bindDatabaseRoutes, databaseHealthOf } from './health/database.routes.ts';
import { type DiskWatch, watchDisk } from './health/disk-watch.ts';
import { queuesHealthOf } from './health/health.ts';
import { createHealthTopic } from './health/health-topic.ts';
import { licenseRemainingMs } from './health/license-health.ts';
import { bindHealthRoutes, createStackHealth } from './health/stack-health.ts';
import { createBackgroundJobs } from './maintenance/background-jobs.ts';
import type { MaintenanceTask } from './maintenance.ts';
import { countEvents } from './metric-history/event-count.ts';
import { bindMetricHistoryRoutes } from './metric-history/metric-history.routes.ts';
import { createMetricHistory, type MetricHistory } from './metric-history/metric-history.ts';
import { type BanFigures, createMetrics, type EndFigures, type Metrics } from './metrics/metrics.ts';
import { bindSettingsRoutes } from './settings/settings.routes.ts';
import type { Settings } from './settings.ts';
import { createWaitingList, type WaitingSources } from './waiting/waiting.ts';

/** How the installation is, its figures, logs and backups, its background jobs, and what waits for a person. */
export interface Operations extends AsyncDisposable {
  readonly disk: Pick<DiskWatch, 'full'>;
  readonly metrics: Pick<Metrics, 'observe'>;
  readonly metricHistory: Pick<MetricHistory, 'sample'>;
  readonly workers: Workers;
  readonly topics: Readonly<
    Record<Extract<LiveTopicName, 'health' | 'log' | 'figures' | 'waiting'>, LiveTopic>
  >;
  bind(routes: ApiRoutes): void;
  /** Called once the schema is in place. */
  prepare(): Promise<void>;
  /** Called once the domains are prepared, so that jobs find them. */
  startJobs(): Promise<void>;
  /** Called once the jobs run. */
  begin(): void;
}

/** What a higher domain reads of its own, and how well that makes it. */
interface Inspected<Figures> {
  readonly inspect: () => Promise<Figures>;
  readonly healthOf: (figures: Figures) => ComponentHealth;
}

interface ValuesFromHigherDomains<Ends, Bans> {
  readonly license: () => LicenseStatus;
  readonly bot: { readonly health: () => ComponentHealth; readonly last: () => BotReport | null };
  readonly agents: () => ComponentHealth;
  /** On each server; null where unknown. */
  readonly players: () => readonly (number | null)[];
  readonly entitlements: Inspected<Ends>;
  readonly bans: Inspected<Bans>;
  readonly maintenance: readonly MaintenanceTask[];
  readonly deliveries: {
    readonly worker: WorkerDeclaration;
    readonly desk: QueueControlOptions['deliveries'];
  };
  readonly mods: QueueControlOptions['mods'];
  readonly waiting: WaitingSources;
}

export const createOperations = <Ends extends EndFigures, Bans extends BanFigures>(
  options: Kernel &
    ValuesFromHigherDomains<Ends, Bans> & {
      readonly database: Database<Tables>;
      readonly latency: DatabaseLatency;
      /** The migrations that only a newer version knows, which has run here before. */
      readonly newerMigrations: () => readonly string[];
      readonly sealedColumns: readonly DescribedColumn[];
      readonly encryptionKeys: Pick<EncryptionKeys, 'faults'>;
      readonly settings: Settings;
      readonly programsFolder: string;
      readonly community: CommunityProfile;
      /** Milliseconds since 1970. */
      readonly now: () => number;
      /** How far the clock is ahead of what is proven. */
      readonly unprovenMs: () => number;
      /** What a test may use instead of the real ones. */
      readonly workers?: readonly WorkerDeclaration[] | undefined;
      /** Of the passphrases of downloaded backups: the logarithm of scrypt's N. */
      readonly passphraseCost?: number | undefined;
      /** How often what waits is looked at. */
      readonly waitingMs?: number | undefined;
    },
): Operations => {
  const { config, home, db, events, obstacle, log, settings, latency, newerMigrations, unprovenMs } = options;
  const { license, bot, entitlements } = options;
  const { pool } = options.database;
  const owned = new AsyncDisposableStack();

  const metricHistory = owned.use(
    createMetricHistory({
      db,
      sources: {
        players: options.players,
        databaseMs: (withinMs) => latency.percentiles(withinMs).p50Ms,
        queueDepth: coalesceReads(() => readQueueDepth(db), obstacle),
        countEvents: (since) => countEvents(db, since),
      },
      log,
    }),
  );
  const backups = owned.use(createBackups({ ...options, pool, databaseUrl: config.databaseUrl }));
  const backupDownloads = owned.use(createBackupDownloads(options));
  const { workers, queueControl, start } = owned.use(
    createBackgroundJobs({
      ...options,
      pool,
      maintenance: [metricHistory.maintenance, ...options.maintenance],
    }),
  );

  const disk = owned.use(watchDisk(home, events, log));
  const databaseHealth = async () =>
    databaseHealthOf(await latency.now(), obstacle(), newerMigrations(), unprovenMs());
  const ends = coalesceReads(entitlements.inspect, obstacle);
  const bans = coalesceReads(options.bans.inspect, obstacle);
  const stackHealth = createStackHealth({
    ...options,
    database: databaseHealth,
    disk,
    backups,
    workersRun: () => workers.running,
    bot: bot.health,
    entitlements: async () => entitlements.healthOf(await ends()),
    bans: async () => options.bans.healthOf(await bans()),
  });
  const queueCounts = coalesceReads(() => readQueueCounts(db), obstacle);
  const metrics = createMetrics({
    databaseRoundTrip: latency.last,
    queueCounts,
    ends,
    bans,
    botTraffic: () => bot.last()?.traffic ?? null,
    license() {
      const status = license();
      return { isInGrace: status.state === 'grace', remainingMs: licenseRemainingMs(status, Date.now()) };
    },
  });
  const componentLogs = createComponentLogs({
    folder: logsFolder(home),
    redact: createRedactor(stackSecrets(config)),
    log,
  });
  const waiting = owned.use(
    createWaitingList({
      db,
      selects: options.waiting.selects,
      readings: [
        ...options.waiting.readings,
        async () => waitingBackups(await backups.health(), await backups.integrity()),
      ],
      obstacle,
      everyMs: options.waitingMs,
      log,
    }),
  );

  return {
    disk,
    metrics,
    metricHistory,
    workers,
    topics: {
      health: createHealthTopic(stackHealth, log),
      log: componentLogs.topic,
      figures: metricHistory.topic,
      waiting: waiting.topic,
    },
    bind(routes) {
      bindHealthRoutes(routes, stackHealth);
      bindCommunityRoutes(routes, options.community);
      bindQueuesRoutes(routes, {
        counts: queueCounts,
        status: async () => queuesHealthOf(await databaseHealth(), workers.running).status,
        control: queueControl,
      });
      bindDatabaseRoutes(routes, { pool, latency, obstacle, newerMigrations, unprovenMs });
      bindBackupsRoutes(routes, backups, backupDownloads);
      routes.on(waitingHttp.list, (_input, { actor }) => waiting.read(actor));
      bindSettingsRoutes(routes, settings);
      bindMetricHistoryRoutes(routes, metricHistory.read, obstacle);
      routes.on(
        logsHttp.usage,
        coalesceReads(() => readLogsUsage(db, retentionDaysOf(config)), obstacle),
      );
      bindComponentLogsRoutes(routes, componentLogs);
      routes.on(observabilityHttp.metrics, () => metrics.text());
    },
    prepare: metricHistory.prepare,
    startJobs: start,
    begin() {
      metricHistory.begin();
      backups.begin();
      waiting.begin();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
