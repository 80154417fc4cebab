import { join } from 'node:path';
import { liveCloseCodes } from '#contracts/kernel/live.ts';
import type { ApiProcess } from '#contracts/operations/supervision.ts';
import { agentProgramsFolder } from '#contracts/servers/agent-downloads.ts';
import { agentCloseCodes } from '#contracts/servers/agent-protocol.ts';
import { isBeforeBuild } from '#runtime/build-date.ts';
import type { LicenseClient } from '#runtime/license/license-client.ts';
import { openLicenseFromConfig } from '#runtime/license/open-from-config.ts';
import type { Log } from '#runtime/log.ts';
import type { PasswordCost } from '#runtime/password-hash.ts';
import type { Problem } from '#runtime/problem.ts';
import type { LocalOwner } from '#runtime/program.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { version } from '#runtime/version.ts';
import { wakes } from '#runtime/wake-watch.ts';
import { type BotLink, createBotLink } from '../discord/bot-link/bot-link.ts';
import { actFor } from '../discord/discord-rights/acting-user.ts';
import { type AdminLinks, createAdminLinks, endDiscordLink } from '../discord/discord-rights/admin-links.ts';
import { createIdentity, type Identity } from '../identity/identity.ts';
import { createLeases, type Leases } from '../kernel/commands/leases.ts';
import { coalesceReads } from '../kernel/database/coalesce-reads.ts';
import { migrations } from '../kernel/database/migrations.ts';
import { createProvenTime, type ProvenTime } from '../kernel/database/proven-time.ts';
import { createStateBeginnings } from '../kernel/database/state-beginnings.ts';
import { createEncryptionKeys } from '../kernel/encryption-keys/encryption-keys.ts';
import { countEvents } from '../kernel/events/event-count.ts';
import { createEventsTopic } from '../kernel/events/events-topic.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { createLive, type Live, type LiveOptions } from '../kernel/live/live.ts';
import { createJobSender, type JobSender } from '../kernel/queues/job-sender.ts';
import type { QueueControl } from '../kernel/queues/queue-control.ts';
import { readQueueDepth } from '../kernel/queues/queue-counts.ts';
import { createQueuePauses } from '../kernel/queues/queue-pauses.ts';
import type { WorkerDeclaration, Workers } from '../kernel/queues/workers.ts';
import { watchLicenseEnd } from '../license/announce-license-end.ts';
import { licenseRefusal } from '../license/license-gate.ts';
import { waitingLicense } from '../license/waiting-license.ts';
import { createUpdateReading, failedModChanges } from '../mods/waiting-mods.ts';
import { type BackupDownloads, createBackupDownloads } from '../operations/backups/backup-downloads.ts';
import { type Backups, createBackups } from '../operations/backups/backups.ts';
import { waitingBackups } from '../operations/backups/backups-health.ts';
import { type CommunityProfile, createCommunity } from '../operations/community/community.ts';
import { createTimeCorrection } from '../operations/maintenance/time-correction.ts';
import { createMetricHistory, type MetricHistory } from '../operations/metric-history/metric-history.ts';
import { openPanelFiles, type PanelFiles } from '../operations/panel-files/panel-files.ts';
import { createWaitingList, type WaitingList } from '../operations/waiting/waiting.ts';
import { createMerging } from '../people/members/merging.ts';
import { type AgentPrograms, openAgentPrograms } from '../servers/agent-downloads/agent-programs.ts';
import { readReleaseOffer } from '../servers/agents/agent-files.ts';
import { firstUnknownServer } from '../servers/game-servers/known-servers.ts';
import {
  failedWorldBackups,
  unfinishedRestoreRuns,
  waitingRestores,
} from '../servers/saves/waiting-saves.ts';
import { createServerFigures, type ServerFigures } from '../servers/server-figures/server-figures.ts';
import { heldProducts, readUnapproved } from '../store/catalogue/waiting-products.ts';
import { overdueCounterCommands, waitingDeliveries } from '../store/deliveries/waiting-deliveries.ts';
import { waitingRemovals } from '../store/entitlements/inspect-ends.ts';
import { moveBetweenWallets } from '../store/points/ledger-entries.ts';
import { unfinishedSeasons } from '../store/seasons/read-seasons.ts';
import { readOrdersLeft, waitingShopOrders } from '../storefronts/shops/waiting-orders.ts';
import { createBackgroundJobs } from './background-jobs.ts';
import { createDiscordServices, type DiscordServices } from './discord-services.ts';
import { createGameServices, type GameServices, type GameServicesOptions } from './game-services.ts';
import { createMonitoring, type Monitoring } from './monitoring.ts';
import { openStorage, type Storage } from './storage.ts';
import { createStore, type Store } from './store.ts';
import { createStorefront, type Storefront } from './storefront.ts';

/** What the API needs from the license client: the current state, notice of its changes, and a question to the portal. */
export type LicenseSource = Pick<LicenseClient, 'status' | 'subscribe' | 'checkNow'> & AsyncDisposable;

/** What a test may use instead of the real thing. */
export interface Overrides {
  readonly license?: LicenseSource;
  readonly migrations?: typeof migrations;
  readonly workers?: readonly WorkerDeclaration[];
  readonly live?: Pick<LiveOptions, 'heartbeatMs'>;
  readonly polling?: GameServicesOptions['polling'];
  /** How often the steps of restores are looked at. */
  readonly restoreRoundMs?: number;
  /** The clock of sign-ins: milliseconds since 1970. */
  readonly now?: () => number;
  /** How long players are newcomers on a server, who may not spend by its chat. */
  readonly newcomerMs?: number;
  /** How often what waits for a person is looked at. */
  readonly waitingMs?: number;
  /** For how long after a start nothing is stored about the states of components and servers. */
  readonly settleMs?: number;
  /** Of new hashes. */
  readonly passwordCost?: PasswordCost;
  /** Of the passphrases of downloaded backups: the logarithm of scrypt's N. */
  readonly passphraseCost?: number;
}

export interface ContextOptions {
  readonly config: StackConfig;
  readonly home: string;
  /** The programs' folder; the built panel is next to them. */
  readonly programsFolder: string;
  readonly log: Log;
  /** As the supervisor reported; no one without one. */
  readonly localOwner?: () => LocalOwner | null;
  /** As the supervisor named it; by default, no one knows this process. */
  readonly process?: ApiProcess | undefined;
  readonly overrides?: Overrides;
}

export interface Context extends AsyncDisposable, Storage, DiscordServices {
  readonly config: StackConfig;
  readonly log: Log;
  readonly license: LicenseSource;
  readonly leases: Leases;
  /** Null while the license lets requests pass. */
  readonly refusal: (isLocal?: () => boolean) => Problem | null;
  readonly backups: Backups;
  readonly backupDownloads: BackupDownloads;
  /** Its holder ends it before the listener, which waits for its connections. */
  readonly live: Live;
  readonly community: CommunityProfile;
  readonly identity: Identity;
  readonly gameServices: GameServices;
  readonly monitoring: Monitoring;
  readonly provenTime: Pick<ProvenTime, 'unprovenMs'>;
  readonly waiting: WaitingList;
  readonly metricHistory: MetricHistory;
  readonly serverFigures: ServerFigures;
  readonly workers: Workers;
  readonly jobs: JobSender;
  readonly queueControl: QueueControl;
  readonly store: Store;
  readonly storefront: Storefront;
  readonly botLink: BotLink;
  readonly adminLinks: AdminLinks;
  readonly panelFiles: PanelFiles;
  readonly agentPrograms: AgentPrograms;
  /** Starts to prepare the database, in the background. */
  begin(): void;
}

/** Between two questions to the portal while the clock is doubted. */
const askedApartMs = 15 * 60_000;

/** Everything that the API consists of, built in the order of its dependencies. */
export const createContext = async (options: ContextOptions): Promise<Context> => {
  const { config, home, programsFolder, log, overrides = {} } = options;
  const { now = Date.now } = overrides;
  await using building = new AsyncDisposableStack();

  const license = building.use(overrides.license ?? (await openLicenseFromConfig(config, { home, log })));
  building.use(
    wakes.onWake(() => {
      license
        .checkNow()
        .catch((error: unknown) => log.warn({ err: error }, 'could not check the license after sleep'));
    }),
  );
  const refusal = (isLocal?: () => boolean) => licenseRefusal(license.status(), isLocal);
  const licenseHolds = () => refusal() === null;
  const panelFiles = await openPanelFiles(join(programsFolder, 'panel'), refusal);

  const { storage, bringUp } = building.use(
    openStorage({ config, home, migrations: overrides.migrations ?? migrations, log }),
  );
  const { database, latency, obstacle, notifications, events, keys, secrets, settings } = storage;
  const { pool, db } = database;
  const leases = building.use(
    createLeases({ db, processId: options.process?.id, endedProcesses: options.process?.ended, log }),
  );
  const encryptionKeys = building.use(
    createEncryptionKeys({
      db,
      config,
      home,
      columns: storage.sealedColumns,
      secrets,
      otherProcesses: leases.otherProcesses,
      log,
    }),
  );
  await encryptionKeys.record();
  const provenTime = building.use(
    createProvenTime({
      db,
      onLook: createTimeCorrection({ db, pool, log }),
      signedMs() {
        const { known } = license.status().clock;
        return known === null ? null : Date.parse(known);
      },
      askForTime: () => license.checkNow({ apartMs: askedApartMs }),
      log,
    }),
  );

  const retentionDays = { audit: config.auditLogRetentionDays, events: config.eventLogRetentionDays };
  const merging = createMerging(moveBetweenWallets);
  const pauses = createQueuePauses(db);
  const beginnings = building.use(createStateBeginnings({ db, log, settleMs: overrides.settleMs }));
  const jobs = createJobSender();
  const kernel: Kernel = {
    config,
    home,
    db,
    leases,
    notifications,
    events,
    secrets,
    jobs,
    pauses,
    beginnings,
    obstacle,
    licenseHolds,
    log,
  };
  const gameServices = building.use(
    createGameServices({
      ...kernel,
      merging,
      settings,
      license: { holds: licenseHolds, maxClusters: () => license.status().maxClusters },
      retentionDays: retentionDays.events,
      offerRelease: await readReleaseOffer(join(programsFolder, agentProgramsFolder), log),
      now,
      ...(overrides.polling && { polling: overrides.polling }),
      restoreRoundMs: overrides.restoreRoundMs,
    }),
  );
  const community = createCommunity({
    db,
    notifications,
    chosen: () => settings.saved('general'),
    internalApiSecret: config.internalApiSecret,
  });
  const adminLinks = createAdminLinks(db, now);
  const identity = createIdentity({
    ...kernel,
    community,
    publicAddress: community.publicAddress,
    suggest: (trx, values, by) => settings.suggest(trx, 'general', { values, by }),
    firstUnknownServer,
    endDiscordLink,
    actFor: (user) => actFor(db, user),
    localOwner: options.localOwner ?? (() => null),
    now,
    passwordCost: overrides.passwordCost,
  });
  const botLink = createBotLink((from, { state, detail }) =>
    events.record('bot.state-changed', { from, to: state, detail }),
  );
  const store = building.use(
    createStore({
      ...kernel,
      bot: botLink.last,
      merging,
      games: gameServices,
      settings,
      discordAdmins: adminLinks,
    }),
  );
  const storefront = building.use(
    createStorefront({
      ...kernel,
      games: gameServices,
      store,
      settings,
      checkAddress: community.checkAddress,
      newcomerMs: overrides.newcomerMs,
    }),
  );
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
  const { directory, statusOf, pool: consoles } = gameServices;
  const serverFigures = building.use(
    createServerFigures({
      db,
      servers: directory,
      sampleOf(serverId) {
        const { state, via, players } = statusOf(serverId);
        // For a console that is proven to reply now.
        const isDirect = state === 'online' && via === 'direct';
        return { players, answerMs: isDirect ? (consoles.read(serverId)?.answerMs ?? null) : null };
      },
      obstacle,
      log,
    }),
  );
  const discordServices = building.use(
    createDiscordServices({
      ...kernel,
      keys,
      settings,
      games: gameServices,
      guildMembers: store.guildMembers,
      bot: botLink.last,
    }),
  );
  const backups = building.use(
    createBackups({
      home,
      programsFolder,
      databaseUrl: config.databaseUrl,
      pool,
      db,
      async schedule() {
        const { nightlyHour, daysKept } = await settings.values('backups');
        return { nightlyHour, daysKept };
      },
      obstacle,
      events,
      log,
      now,
      unprovenMs: provenTime.unprovenMs,
      isClockBehind: () => license.status().code === 'CLOCK_ROLLED_BACK' || isBeforeBuild(Date.now()),
    }),
  );
  const backupDownloads = building.use(
    createBackupDownloads({ home, db, log, passphraseCost: overrides.passphraseCost }),
  );
  const backgroundJobs = building.use(
    createBackgroundJobs({
      leases,
      storage,
      jobs,
      pauses,
      retentionDays,
      maintenance: [...gameServices.maintenance, metricHistory.maintenance, ...storefront.maintenance],
      deliveries: store.deliveries,
      mods: gameServices.queuedMods,
      workers: overrides.workers,
      log,
    }),
  );
  const { workers, queueControl } = backgroundJobs;
  const monitoring = building.use(
    createMonitoring({
      storage,
      config,
      home,
      retentionDays,
      workersRun: () => workers.running,
      bot: botLink,
      agents: gameServices.agents,
      backups,
      entitlements: storefront.entitlements,
      bans: gameServices.bans,
      encryptionKeys,
      license: license.status,
      beginnings,
      unprovenMs: provenTime.unprovenMs,
      async ownPublicHost() {
        // A proxy answers with its own certificate; without the database, the address is not known.
        if (config.trustProxy !== false || obstacle() !== null) return null;
        const { publicAddress } = await settings.values('general');
        const url = URL.parse(publicAddress);
        return url?.protocol === 'https:' ? url.hostname : null;
      },
      log,
    }),
  );
  const { status: licenseStatus } = license;
  const waiting = building.use(
    createWaitingList({
      db,
      selects: (at) => [
        waitingDeliveries,
        overdueCounterCommands(at),
        waitingRemovals(at),
        waitingShopOrders,
        waitingRestores,
        failedWorldBackups,
        unfinishedRestoreRuns,
        failedModChanges(at),
        unfinishedSeasons,
        heldProducts,
      ],
      readings: [
        readOrdersLeft,
        readUnapproved,
        createUpdateReading(),
        async () => waitingBackups(await backups.health(), await backups.integrity()),
        async () => waitingLicense(licenseStatus(), now()),
      ],
      obstacle,
      everyMs: overrides.waitingMs,
      log,
    }),
  );
  const live = createLive({
    topics: {
      events: createEventsTopic(db, log),
      figures: metricHistory.topic,
      deliveries: store.deliveries.topic,
      waiting: waiting.topic,
      ...monitoring.topics,
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
  building.use(watchLicenseEnd({ db, status: license.status, obstacle, log }));

  const prepare = async () => {
    await leases.begin();
    // Before anything asks what is due or over.
    await provenTime.begin();
    await identity.prepare();
    // What is paused stays so from the first moment.
    await pauses.refresh();
    await beginnings.prepare();
    await gameServices.prepare();
    await metricHistory.prepare();
    await discordServices.prepare();
    // After what the desktop left for Discord has been read, which an older key may have sealed.
    await encryptionKeys.prepare();
    await backgroundJobs.start();
    storefront.prepare();
    await store.prepare();
    storefront.begin();
    metricHistory.begin();
    serverFigures.begin();
    backups.begin();
    waiting.begin();
    events.record('stack.started', { version });
  };
  // Ends before what it prepares.
  building.use(bringUp);

  const owned = building.move();
  return {
    config,
    log,
    license,
    leases,
    refusal,
    ...storage,
    monitoring,
    provenTime,
    waiting,
    metricHistory,
    serverFigures,
    workers,
    jobs,
    queueControl,
    store,
    storefront,
    backups,
    backupDownloads,
    live,
    community,
    identity,
    gameServices,
    botLink,
    adminLinks,
    ...discordServices.services,
    panelFiles,
    agentPrograms: openAgentPrograms(programsFolder),
    begin() {
      bringUp.begin(prepare);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
