import { join } from 'node:path';
import { type Database, openDatabase, ping } from '#runtime/database/pool.ts';
import { type LicenseClient, openLicenseClient } from '#runtime/license/license-client.ts';
import type { Log } from '#runtime/log.ts';
import type { Problem } from '#runtime/problem.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { version } from '#runtime/version.ts';
import { type Agents, createAgents } from './agents/agents.ts';
import { type BotLink, createBotLink } from './bot-link/bot-link.ts';
import { type BringUp, startBringUp } from './database/bring-up.ts';
import { type DatabaseLatency, watchDatabaseLatency } from './database/latency.ts';
import { migrations } from './database/migrations.ts';
import { createSchemaUpgrade } from './database/schema-upgrade.ts';
import { shareReading } from './database/shared-reading.ts';
import type { Tables } from './database/tables.ts';
import { licenseRefusal } from './license/license-gate.ts';
import { maintenanceWorker, scheduleMaintenance } from './maintenance/maintenance.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { openPanelFiles, type PanelFiles } from './panel-files/panel-files.ts';
import { listenConnections } from './queues/queue-connection.ts';
import { readQueueCounts } from './queues/queue-counts.ts';
import { startQueueEngine, stopQueueEngine } from './queues/queue-engine.ts';
import { createWorkers, type WorkerDeclaration, type Workers } from './queues/workers.ts';

/** What the API needs of the license client: the state at this moment, and word of its changes. */
export type LicenseSource = Pick<LicenseClient, 'status' | 'subscribe'> & AsyncDisposable;

/** What a test may put in the place of the real thing. */
export interface Overrides {
  readonly license?: LicenseSource;
  readonly migrations?: typeof migrations;
  readonly workers?: readonly WorkerDeclaration[];
}

export interface ContextOptions {
  readonly config: StackConfig;
  readonly home: string;
  /** Where the programs lie; the built panel lies beside them. */
  readonly programsFolder: string;
  readonly log: Log;
  readonly overrides?: Overrides;
}

export interface Context extends AsyncDisposable {
  readonly config: StackConfig;
  readonly log: Log;
  readonly license: LicenseSource;
  /** Null while the license lets requests pass. */
  readonly refusal: (isLocal?: () => boolean) => Problem | null;
  readonly database: Database<Tables>;
  readonly latency: DatabaseLatency;
  /** Why the database cannot be used, in words; null when it can. */
  readonly obstacle: () => string | null;
  readonly queueCounts: () => ReturnType<typeof readQueueCounts>;
  readonly workers: Workers;
  readonly botLink: BotLink;
  readonly agents: Agents;
  readonly metrics: Metrics;
  readonly panelFiles: PanelFiles;
  /** Begins to bring the database into use, in the background. */
  begin(): void;
}

/** Everything that the API consists of, built in the order in which it depends on one another. */
export const createContext = async (options: ContextOptions): Promise<Context> => {
  const { config, home, programsFolder, log, overrides = {} } = options;
  await using building = new AsyncDisposableStack();

  const license = building.use(overrides.license ?? (await openLicense(options)));
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
  const latency = building.use(watchDatabaseLatency(pool, log));

  const { auditLogRetentionDays } = config;
  const workers = createWorkers(
    overrides.workers ?? [maintenanceWorker({ db, auditLogRetentionDays, log })],
    log,
  );
  const followLicense = () => {
    const problem = refusal();
    if (problem) workers.pause(problem.code);
    else workers.resume();
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
    const boss = await startQueueEngine({ pool, url: config.databaseUrl, log });
    running.defer(() => stopQueueEngine(boss));
    running.use(workers);
    running.use(scheduleMaintenance(boss, log));
    workers.attach(boss);
  };
  let bringUp: BringUp | null = null;
  building.defer(() => bringUp?.[Symbol.asyncDispose]());
  const obstacle = () => (bringUp ? bringUp.obstacle() : 'The database was not reached yet.');

  const queueCounts = shareReading(() => readQueueCounts(db), obstacle);
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
    workers,
    botLink: createBotLink(config.discordBotToken !== undefined),
    agents: createAgents(),
    metrics: createMetrics({ databaseRoundTrip: latency.last, queueCounts }),
    panelFiles,
    begin() {
      bringUp ??= startBringUp({ reach: () => ping(db), prepare }, log);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

const openLicense = ({ config, home, log }: ContextOptions): Promise<LicenseClient> =>
  openLicenseClient({
    home,
    portalUrl: config.licenseServerUrl,
    publicKey: config.licenseServerPublicKey,
    instanceId: config.instanceId,
    version,
    graceDays: config.licenseGracePeriodDays,
    log,
  });
