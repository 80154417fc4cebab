import type { LiveTopicName } from '#contracts/kernel/live.ts';
import type { LogName, LogsUsage } from '#contracts/kernel/logs.ts';
import type { LicenseStatus } from '#contracts/license/license-state.ts';
import type { ComponentHealth, StackHealth } from '#contracts/operations/health.ts';
import { logsFolder } from '#runtime/home.ts';
import type { Log } from '#runtime/log.ts';
import { outsideFaults } from '#runtime/outside/outside.ts';
import { createRedactor } from '#runtime/redact.ts';
import { type StackConfig, stackSecrets } from '#runtime/stack-config.ts';
import type { BotLink } from '../discord/bot-link/bot-link.ts';
import { coalesceReads } from '../kernel/database/coalesce-reads.ts';
import type { StateBeginnings } from '../kernel/database/state-beginnings.ts';
import type { EncryptionKeys } from '../kernel/encryption-keys/encryption-keys.ts';
import { followCertificate } from '../kernel/http/certificate-health.ts';
import { exposureWarning } from '../kernel/http/exposure.ts';
import type { LiveTopic } from '../kernel/live/live-topic.ts';
import { readLogsUsage } from '../kernel/logs/log-usage.ts';
import { readQueueCounts } from '../kernel/queues/queue-counts.ts';
import { inspectSecrets } from '../kernel/secrets/inspect-secrets.ts';
import { secretsHealthOf } from '../kernel/secrets/secrets-health.ts';
import type { Backups } from '../operations/backups/backups.ts';
import { type ComponentLogs, createComponentLogs } from '../operations/component-logs/component-logs.ts';
import { databaseHealthOf } from '../operations/health/database.routes.ts';
import { type DiskWatch, watchDisk } from '../operations/health/disk-watch.ts';
import { readStackHealth } from '../operations/health/health.routes.ts';
import { followTroubles } from '../operations/health/health.ts';
import { createHealthTopic } from '../operations/health/health-topic.ts';
import { licenseRemainingMs } from '../operations/health/license-health.ts';
import { createReadingHealth } from '../operations/health/reading-health.ts';
import { createMetrics, type Metrics } from '../operations/metrics/metrics.ts';
import { bansHealthOf } from '../people/bans/inspect-bans.ts';
import { agentsHealthOf } from '../servers/agents/agent-view.ts';
import { endsHealthOf } from '../store/entitlements/inspect-ends.ts';
import type { GameServices } from './game-services.ts';
import type { Storage } from './storage.ts';
import type { Storefront } from './storefront.ts';

/** The state of the stack: its health, its figures, its logs. */
export interface Monitoring extends Disposable {
  readonly databaseHealth: () => Promise<ComponentHealth>;
  readonly stackHealth: () => Promise<StackHealth>;
  readonly disk: DiskWatch;
  readonly queueCounts: () => ReturnType<typeof readQueueCounts>;
  readonly metrics: Metrics;
  readonly logsUsage: () => Promise<LogsUsage>;
  readonly componentLogs: ComponentLogs;
  readonly topics: Readonly<Record<Extract<LiveTopicName, 'health' | 'log'>, LiveTopic>>;
}

export const createMonitoring = (options: {
  readonly storage: Pick<
    Storage,
    'database' | 'obstacle' | 'newerMigrations' | 'latency' | 'secrets' | 'sealedColumns' | 'events'
  >;
  readonly config: StackConfig;
  readonly home: string;
  readonly retentionDays: Readonly<Record<LogName, number>>;
  readonly workersRun: () => boolean;
  readonly bot: BotLink;
  readonly agents: GameServices['agents'];
  readonly backups: Pick<Backups, 'health' | 'integrity'>;
  readonly entitlements: Storefront['entitlements'];
  readonly bans: Pick<GameServices['bans'], 'inspect'>;
  readonly encryptionKeys: Pick<EncryptionKeys, 'faults'>;
  readonly license: () => LicenseStatus;
  readonly beginnings: StateBeginnings;
  /** How far the clock is ahead of what is proven. */
  readonly unprovenMs: () => number;
  /** The host of the public address, where no proxy answers there with a certificate of its own; null: none is known. */
  readonly ownPublicHost: () => Promise<string | null>;
  readonly log: Log;
}): Monitoring => {
  const { storage, config, home, retentionDays, bot, log } = options;
  const { database, obstacle, latency, secrets, sealedColumns, events } = storage;
  const { db } = database;

  const disk = watchDisk(home, events, log);
  const databaseHealth = async () =>
    databaseHealthOf(await latency.now(), obstacle(), storage.newerMigrations(), options.unprovenMs());
  const inspection = coalesceReads(() => inspectSecrets(db, sealedColumns, secrets), obstacle);
  const ends = coalesceReads(options.entitlements.inspect, obstacle);
  const bans = coalesceReads(options.bans.inspect, obstacle);
  const troubleSince = followTroubles(() => new Date(), options.beginnings);
  const certificate = config.tls ? followCertificate(config.tls, options.ownPublicHost) : async () => [];
  // As they were read at the start, which is when they count.
  const outside = outsideFaults(config.outside);
  const stackHealth = () =>
    readStackHealth({
      database: databaseHealth,
      exposure: exposureWarning(config),
      certificate,
      outside,
      workersRun: options.workersRun,
      bot: bot.health,
      agents: () => agentsHealthOf(options.agents.readings()),
      secrets: createReadingHealth(async () =>
        secretsHealthOf(await inspection(), options.encryptionKeys.faults()),
      ),
      disk: disk.health,
      backups: options.backups.health,
      integrity: options.backups.integrity,
      entitlements: createReadingHealth(async () => endsHealthOf(await ends())),
      bans: createReadingHealth(async () => bansHealthOf(await bans())),
      license: options.license,
      troubleSince,
    });
  const queueCounts = coalesceReads(() => readQueueCounts(db), obstacle);
  const metrics = createMetrics({
    databaseRoundTrip: latency.last,
    queueCounts,
    ends,
    bans,
    botTraffic: () => bot.last()?.traffic ?? null,
    license() {
      const status = options.license();
      return { isInGrace: status.state === 'grace', remainingMs: licenseRemainingMs(status, Date.now()) };
    },
  });
  const componentLogs = createComponentLogs({
    folder: logsFolder(home),
    redact: createRedactor(stackSecrets(config)),
    log,
  });

  return {
    databaseHealth,
    stackHealth,
    disk,
    queueCounts,
    metrics,
    logsUsage: coalesceReads(() => readLogsUsage(db, retentionDays), obstacle),
    componentLogs,
    topics: { health: createHealthTopic(stackHealth, log), log: componentLogs.topic },
    [Symbol.dispose]: () => disk[Symbol.dispose](),
  };
};
