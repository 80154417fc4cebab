import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { liveCloseCodes } from '#contracts/kernel/live.ts';
import type { ApiProcess } from '#contracts/operations/supervision.ts';
import { agentProgramsFolder } from '#contracts/servers/agent-downloads.ts';
import { agentCloseCodes } from '#contracts/servers/agent-protocol.ts';
import { openLicenseFromConfig } from '#runtime/license/open-from-config.ts';
import type { Log } from '#runtime/log.ts';
import type { PasswordCost } from '#runtime/password-hash.ts';
import type { LocalOwner } from '#runtime/program.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { version } from '#runtime/version.ts';
import { actFor } from '../discord/discord-rights/acting-user.ts';
import { endDiscordLink } from '../discord/discord-rights/admin-links.ts';
import { createDiscordServices, type DiscordServices } from '../discord/discord-services.ts';
import { createIdentity, type Identity } from '../identity/identity.ts';
import { createLeases, type Leases } from '../kernel/commands/leases.ts';
import { migrations } from '../kernel/database/migrations.ts';
import { createProvenTime, type ProvenTime } from '../kernel/database/proven-time.ts';
import { createStateBeginnings } from '../kernel/database/state-beginnings.ts';
import { createEncryptionKeys } from '../kernel/encryption-keys/encryption-keys.ts';
import { createEventsTopic } from '../kernel/events/events-topic.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { createLive, type Live, type LiveOptions } from '../kernel/live/live.ts';
import { createJobSender, type JobSender } from '../kernel/queues/job-sender.ts';
import { createQueuePauses } from '../kernel/queues/queue-pauses.ts';
import type { WorkerDeclaration, Workers } from '../kernel/queues/workers.ts';
import { createLicense, type License, type LicenseSource } from '../license/license.ts';
import { waitingLicense } from '../license/waiting-license.ts';
import { createMods, type Mods } from '../mods/mods.ts';
import { createUpdateReading, failedModChanges } from '../mods/waiting-mods.ts';
import { type CommunityProfile, createCommunity } from '../operations/community/community.ts';
import { createTimeCorrection } from '../operations/maintenance/time-correction.ts';
import { createOperations, type Operations } from '../operations/operations.ts';
import { openPanelFiles, type PanelFiles } from '../operations/panel-files/panel-files.ts';
import { bansHealthOf } from '../people/bans/inspect-bans.ts';
import { createPeople, type People, type PeopleContext } from '../people/people.ts';
import { readReleaseOffer } from '../servers/agents/agent-files.ts';
import { agentsHealthOf } from '../servers/agents/agent-view.ts';
import { firstUnknownServer } from '../servers/game-servers/known-servers.ts';
import {
  failedWorldBackups,
  unfinishedRestoreRuns,
  waitingRestores,
} from '../servers/saves/waiting-saves.ts';
import { createServers, type Servers, type ServersContext } from '../servers/servers.ts';
import { heldProducts, readUnapproved } from '../store/catalogue/waiting-products.ts';
import { overdueCounterCommands, waitingDeliveries } from '../store/deliveries/waiting-deliveries.ts';
import { endsHealthOf, waitingRemovals } from '../store/entitlements/inspect-ends.ts';
import { unfinishedSeasons } from '../store/seasons/read-seasons.ts';
import { createStore, type Store } from '../store/store.ts';
import type { StoreContext, StoreNews } from '../store/store-context.ts';
import { readOrdersLeft, waitingShopOrders } from '../storefronts/shops/waiting-orders.ts';
import { createStorefronts, type Storefronts } from '../storefronts/storefronts.ts';
import { openStorage, type Storage } from './storage.ts';

/** What a test may use instead of the real thing. */
export interface Overrides {
  readonly license?: LicenseSource;
  readonly migrations?: typeof migrations;
  readonly workers?: readonly WorkerDeclaration[];
  readonly live?: Pick<LiveOptions, 'heartbeatMs'>;
  readonly pollingIntervalMs?: PeopleContext['pollingIntervalMs'];
  /** How often the steps of restores are looked at. */
  readonly restoreRoundMs?: ServersContext['restoreRoundMs'];
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

export interface Context extends AsyncDisposable, Storage {
  readonly config: StackConfig;
  readonly log: Log;
  readonly license: License;
  readonly leases: Leases;
  /** Its holder ends it before the listener, which waits for its connections. */
  readonly live: Live;
  readonly community: CommunityProfile;
  readonly identity: Identity;
  readonly servers: Servers;
  readonly mods: Mods;
  readonly people: People;
  readonly provenTime: Pick<ProvenTime, 'unprovenMs'>;
  readonly workers: Workers;
  readonly jobs: JobSender;
  readonly store: Store;
  readonly storefronts: Storefronts;
  readonly discord: DiscordServices;
  readonly operations: Operations;
  readonly panelFiles: PanelFiles;
  /** Starts to prepare the database, in the background. */
  begin(): void;
}

/** Everything that the API consists of, built in the order of its dependencies. */
export const createContext = async (options: ContextOptions): Promise<Context> => {
  const { config, home, programsFolder, log, overrides = {} } = options;
  const { now = Date.now } = overrides;
  await using building = new AsyncDisposableStack();

  const license = building.use(
    createLicense(overrides.license ?? (await openLicenseFromConfig(config, { home, log })), log),
  );
  const panelFiles = await openPanelFiles(join(programsFolder, 'panel'), license.refusal);

  const { storage, bringUp } = building.use(
    openStorage({ config, home, migrations: overrides.migrations ?? migrations, log }),
  );
  const { database, obstacle, notifications, events, secrets, settings } = storage;
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
      ...license.clock,
      log,
    }),
  );

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
    licenseHolds: license.holds,
    log,
  };
  const servers = building.use(
    createServers({
      ...kernel,
      settings,
      programsFolder,
      maxClusters: () => license.status().maxClusters,
      offerRelease: await readReleaseOffer(join(programsFolder, agentProgramsFolder), log),
      now,
      restoreRoundMs: overrides.restoreRoundMs,
      playersOn: (serverId) => people.presence.read(serverId),
      countPlayersOn: (serverId) => people.presence.count(serverId),
      listComplaint: (serverId) => people.listComplaint(serverId),
      modFiles: {
        files: { open: (...asked) => mods.openUpload(...asked) },
        keys: { curseforge: () => mods.curseforgeKey() },
      },
    }),
  );
  const mods: Mods = building.use(createMods({ ...kernel, servers, settings }));
  const people: People = building.use(
    createPeople({ ...kernel, servers, pollingIntervalMs: overrides.pollingIntervalMs }),
  );
  const community = createCommunity({
    db,
    notifications,
    chosen: () => settings.saved('general'),
    internalApiSecret: config.internalApiSecret,
  });
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
  const { presence, members, memberNames, news } = people;
  const onPlayersPresent: StoreContext['onPlayersPresent'] = (listener) =>
    void news.on('playersPresent', listener);
  const store: Store = building.use(
    createStore({
      ...kernel,
      now: Date.now,
      settings,
      servers: servers.directory,
      statusOf: servers.statusOf,
      ways: servers.router,
      tasks: servers.tasks,
      say: servers.say,
      onSweep: servers.onSweep,
      onLateResult: (listener) => void servers.observations.on('lateResult', listener),
      presence,
      onPlayersPresent,
      members,
      memberNames,
      playersOf: people.playersOf,
      roleFaults: (...asked) => discord.roleFaults(...asked),
      retryRole: (deliveryId) => discord.retryRole(deliveryId),
      news: new EventEmitter<StoreNews>(),
    }),
  );
  const storefronts = building.use(
    createStorefronts({
      ...kernel,
      now: Date.now,
      settings,
      checkAddress: community.checkAddress,
      servers: servers.directory,
      store,
      members,
      memberNames,
      whisper: people.whisper,
      say: servers.say,
      onSpoken: (listener) => void news.on('spoken', listener),
      onPlayersPresent,
      newcomerMs: overrides.newcomerMs,
    }),
  );
  const discord: DiscordServices = building.use(
    createDiscordServices({ ...kernel, settings, servers, people, store, now }),
  );
  const operations = building.use(
    createOperations({
      ...storage,
      ...kernel,
      encryptionKeys,
      programsFolder,
      community,
      now,
      unprovenMs: provenTime.unprovenMs,
      license: license.status,
      bot: discord.botLink,
      agents: () => agentsHealthOf(servers.agents.readings()),
      players: () => servers.directory.all().map(({ id }) => people.presence.count(id)),
      entitlements: { inspect: store.entitlements.inspect, healthOf: endsHealthOf },
      bans: { inspect: people.bans.inspect, healthOf: bansHealthOf },
      maintenance: [servers, mods, people, store, storefronts, store.deliveries].flatMap(
        ({ maintenance }) => maintenance,
      ),
      deliveries: store.deliveries,
      mods: mods.queued,
      waiting: {
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
          async () => waitingLicense(license.status(), now()),
        ],
      },
      workers: overrides.workers,
      passphraseCost: overrides.passphraseCost,
      waitingMs: overrides.waitingMs,
    }),
  );
  const live = createLive({
    topics: {
      events: createEventsTopic(db, log),
      deliveries: store.deliveries.topic,
      ...operations.topics,
      ...servers.topics,
      ...people.topics,
    },
    tickets: identity.tickets,
    renewActor: identity.refresh,
    accessChanges: identity.changes,
    log,
    ...overrides.live,
  });

  const { workers } = operations;
  building.use(
    license.follow(kernel, (problem) => {
      if (problem) {
        workers.pause(problem.code);
        live.closeAll(liveCloseCodes.licenseRejected, problem.code);
        servers.agents.closeAll(agentCloseCodes.licenseRejected, problem.code);
      } else workers.resume();
      servers.pool.reconsider();
      mods.look();
    }),
  );

  const prepare = async () => {
    await leases.begin();
    // Before anything asks what is due or over.
    await provenTime.begin();
    await identity.prepare();
    // What is paused stays so from the first moment.
    await pauses.refresh();
    await beginnings.prepare();
    await servers.prepare();
    await people.prepare();
    await servers.begin();
    await mods.prepare();
    people.begin();
    await operations.prepare();
    await discord.prepare();
    // After what the desktop left for Discord has been read, which an older key may have sealed.
    await encryptionKeys.prepare();
    await operations.startJobs();
    await store.prepare();
    discord.begin();
    storefronts.begin();
    store.begin();
    operations.begin();
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
    ...storage,
    provenTime,
    workers,
    jobs,
    store,
    storefronts,
    live,
    community,
    identity,
    servers,
    mods,
    people,
    discord,
    operations,
    panelFiles,
    begin() {
      bringUp.begin(prepare);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
