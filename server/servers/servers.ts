import { join } from 'node:path';
import type { LiveTopicName } from '#contracts/kernel/live.ts';
import type { ServerPlayers } from '#contracts/people/players.ts';
import type { ApiRoutes } from '../kernel/access/authorize.ts';
import type { ConsoleRouter } from '../kernel/commands/console-router.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { LiveTopic } from '../kernel/live/live-topic.ts';
import { deleteExpired } from '../kernel/logs/log-retention.ts';
import type { MaintenanceTask } from '../operations/maintenance.ts';
import type { Settings } from '../operations/settings.ts';
import { deleteOldActs } from './agent-acts.ts';
import { bindAgentDownloadsRoutes } from './agent-downloads/agent-downloads.routes.ts';
import { openAgentPrograms } from './agent-downloads/agent-programs.ts';
import { bindAgentTasksRoutes } from './agent-tasks/agent-tasks.routes.ts';
import { deleteOldAgentTasks } from './agent-tasks/task-retention.ts';
import { createTasksTopic } from './agent-tasks/tasks-topic.ts';
import { type AgentTasks, createAgentTasks } from './agent-tasks.ts';
import { createReadOrigin } from './agents/admission.ts';
import type { AgentFileSources, ReleaseOffer } from './agents/agent-files.ts';
import { type AgentGateway, createAgentGateway } from './agents/agent-gateway.ts';
import { bindAgentRoutes } from './agents/agents.routes.ts';
import { deleteOldAgentCommands } from './agents/command-rows.ts';
import { type AgentObservations, createAgentObservations } from './agents/frame-intake.ts';
import { bindChatFormsRoutes } from './chat-forms/chat-forms.routes.ts';
import { createChatForms } from './chat-forms/chat-forms.ts';
import { createChosenForms } from './chat-forms/chosen-forms.ts';
import { bindConsoleRoutes } from './console/console.routes.ts';
import type { Console } from './console/console.ts';
import { createConsoleHistory } from './console/console-history.ts';
import { createConsoles } from './console/consoles.ts';
import { deleteOldLines } from './console/heard-lines.ts';
import { maskStoredCommands } from './console/mask-stored-commands.ts';
import { createSavedCommands } from './console/saved-commands.ts';
import { sayLine } from './console/say-line.ts';
import type { ConsolePool } from './console-pool/console-pool.ts';
import { bindClustersRoutes } from './game-servers/clusters.routes.ts';
import { createClusters } from './game-servers/clusters.ts';
import { createConnectionTest } from './game-servers/connection-test.ts';
import { bindGameServersRoutes } from './game-servers/game-servers.routes.ts';
import { createGameServers } from './game-servers/game-servers.ts';
import { createServerDirectory, type ServerDirectory } from './game-servers/server-directory.ts';
import { bindPowerRoutes } from './power/power.routes.ts';
import { createPower } from './power/power.ts';
import { deleteOldRestoreRuns } from './saves/restore-runs.ts';
import { bindSavesRoutes } from './saves/saves.routes.ts';
import { createSaves } from './saves/saves.ts';
import { bindServerFiguresRoutes } from './server-figures/server-figures.routes.ts';
import { createServerFigures } from './server-figures/server-figures.ts';
import { createServerStatuses, type ServerStatuses } from './server-status/server-status.ts';
import { createServersTopic } from './server-status/servers-topic.ts';
import { createStatusEvents } from './server-status/status-events.ts';

/** What servers are built with. Nothing of higher domains is asked before `prepare`. */
export interface ServersContext extends Kernel {
  readonly settings: Pick<Settings, 'values'>;
  /** Where the programs of agents are. */
  readonly programsFolder: string;
  /** By the license at this moment; null: any number. */
  readonly maxClusters: () => number | null;
  readonly offerRelease: ReleaseOffer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly restoreRoundMs?: number | undefined;
  /** Who is on a server. */
  readonly playersOn: (serverId: string) => ServerPlayers;
  /** Null: unknown. */
  readonly countPlayersOn: (serverId: string) => number | null;
  /** Why the last list of players could not be read; null when it could, or there was no answer. */
  readonly listComplaint: (serverId: string) => string | null;
  /** What agents fetch for changes of mods. */
  readonly modFiles: AgentFileSources;
}

/** Which game servers exist, how they are reached and what is said to them. */
export interface Servers extends AsyncDisposable {
  readonly directory: ServerDirectory;
  /** Its holder disposes it before the listener, which waits for its connections. */
  readonly agents: AgentGateway;
  /** What agents are asked for besides commands. */
  readonly tasks: AgentTasks;
  /** What agents say, for the domains that are built on this one. */
  readonly observations: AgentObservations;
  readonly console: Console;
  readonly pool: ConsolePool;
  readonly router: ConsoleRouter;
  /** A server's current status. */
  readonly statusOf: ServerStatuses['read'];
  /** Calls the listener whenever the status of all servers was checked again. */
  readonly onSweep: ServerStatuses['onSweep'];
  /** Tells those who watch that something about this server has changed, which they then read. */
  changed(serverId: string): void;
  /** Says a line in the chat of a game. @returns whether the game has replied */
  say(serverId: string, text: string): Promise<boolean>;
  readonly topics: Readonly<
    Record<Extract<LiveTopicName, 'servers' | 'console' | 'enrolments' | 'agent-tasks'>, LiveTopic>
  >;
  readonly maintenance: readonly MaintenanceTask[];
  bind(routes: ApiRoutes): void;
  /** Called once the schema is in place. */
  prepare(): Promise<void>;
  /** Called once it is known who was on the servers: agents are admitted, and games connected. */
  begin(): Promise<void>;
}

/** Leaves first. What agents say goes to parts and domains that are built later, so these listen to it. */
export const createServers = (context: ServersContext): Servers => {
  const {
    config,
    home,
    db,
    leases,
    notifications,
    secrets,
    settings,
    events,
    licenseHolds,
    maxClusters,
    log,
  } = context;
  const retentionDays = config.eventLogRetentionDays;
  const owned = new AsyncDisposableStack();

  const directory = owned.use(createServerDirectory(context));
  const chosenForms = createChosenForms(db);
  const observations = createAgentObservations();
  const tasks = owned.use(
    createAgentTasks({ db, notifications, leases, uploadsFolder: join(home, 'agent-uploads'), log }),
  );
  const agents = createAgentGateway({
    db,
    secret: config.gameAgentSecret,
    secrets,
    servers: { get: directory.get, ids: () => directory.all().map(({ id }) => id) },
    allowPlain: async () => (await settings.values('agents')).allowPlainAgents,
    readOrigin: createReadOrigin(config.trustProxy),
    events,
    offerRelease: context.offerRelease,
    fileSources: context.modFiles,
    chatFormsOf: chosenForms.of,
    observers: observations,
    tasks,
    wallNow: context.now,
    log,
  });
  owned.defer(
    directory.subscribe((gone) => {
      for (const serverId of gone) agents.forget(serverId);
    }),
  );
  const { pool, router, console, topic, keptLines } = owned.use(
    createConsoles({ ...context, directory, agents, tasks, observations }),
  );
  const chatForms = createChatForms({ ...context, directory, agents, chosenForms, keptLines });
  observations.on('chatReading', chatForms.reported);

  const statuses = owned.use(
    createServerStatuses({
      servers: directory,
      factsOf: (serverId) => ({
        nowMs: Date.now(),
        agent: agents.lastReport(serverId),
        isAgentPresent: agents.isPresent(serverId),
        isAgentKnown: agents.isKnown(serverId),
        link: pool.read(serverId),
        listComplaint: context.listComplaint(serverId),
        hasAddress: directory.get(serverId)?.host != null,
      }),
      processOf(serverId) {
        const { process, machine } = tasks.machineOf(serverId);
        if (!process || !machine) return null;
        const { report, isCurrent } = process;
        const atMs = Date.parse(process.at);
        const lostAtMs = isCurrent ? null : Math.max(atMs, agents.lastReport(serverId)?.seenAtMs ?? 0);
        return { report, atMs, lostAtMs, hasConsole: machine.facts.hasConsole };
      },
      playersOn: context.countPlayersOn,
      beginnings: context.beginnings,
      log,
    }),
  );
  const statusEvents = createStatusEvents({
    db,
    servers: directory,
    statusOf: (serverId) => statuses.all().get(serverId)?.status,
    events,
  });
  statuses.onSweep(statusEvents.look);

  const tasksTopic = createTasksTopic();
  const { changed } = tasksTopic;
  owned.defer(tasks.onChange(changed));
  const power = owned.use(
    createPower({ db, directory, agents, tasks, statuses, settings, onChange: changed, log }),
  );
  const saves = owned.use(
    createSaves({
      ...{ db, directory, agents, tasks, statuses, power },
      ...{ licenseHolds, roundMs: context.restoreRoundMs, log },
    }),
  );
  const figures = owned.use(
    createServerFigures({
      db,
      servers: directory,
      sampleOf(serverId) {
        const { state, via, players } = statuses.read(serverId);
        // For a console that is proven to reply now.
        const isDirect = state === 'online' && via === 'direct';
        return { players, answerMs: isDirect ? (pool.read(serverId)?.answerMs ?? null) : null };
      },
      obstacle: context.obstacle,
      log,
    }),
  );

  return {
    directory,
    agents,
    tasks,
    observations,
    console,
    pool,
    router,
    statusOf: statuses.read,
    onSweep: statuses.onSweep,
    changed,
    say: (serverId, text) => sayLine({ directory, router }, serverId, text),
    topics: {
      servers: createServersTopic(statuses),
      console: topic,
      enrolments: agents.enrolmentTopic,
      'agent-tasks': tasksTopic,
    },
    maintenance: [
      {
        name: 'console history',
        run: (signal) => deleteExpired({ db, table: 'console_commands', retentionDays, signal }),
      },
      { name: 'passwords in older commands', run: (signal) => maskStoredCommands(db, log, signal) },
      { name: 'lines of consoles', run: (signal) => deleteOldLines(db, signal) },
      { name: 'agent tasks', run: (signal) => deleteOldAgentTasks(db, signal) },
      { name: 'acts on processes', run: () => deleteOldActs(db, 'power_acts', retentionDays) },
      { name: 'acts on saves', run: () => deleteOldActs(db, 'save_acts', retentionDays) },
      { name: 'restores of saves', run: () => deleteOldRestoreRuns(db, retentionDays) },
      { name: 'agent commands', run: (signal) => deleteOldAgentCommands(db, secrets, signal) },
      { name: 'agent enrolments', run: agents.enrolments.deleteOld },
    ],
    bind(routes) {
      bindClustersRoutes(routes, createClusters({ db, maxClusters }), maxClusters);
      bindGameServersRoutes(routes, {
        gameServers: createGameServers({ db, secrets }),
        testConnection: createConnectionTest({ db, secrets }),
        statusOf: statuses.read,
        // The change is committed: the directory then reads it a little later.
        onChanged: () =>
          directory
            .refresh()
            .catch((error: unknown) => log.warn({ err: error }, 'could not reload the game servers')),
      });
      bindConsoleRoutes(routes, {
        console,
        history: createConsoleHistory({ db, retentionDays }),
        keptLines,
        savedCommands: createSavedCommands(db),
      });
      bindAgentRoutes(routes, agents);
      bindAgentDownloadsRoutes(routes, {
        programs: openAgentPrograms(context.programsFolder),
        config,
        markDownloaded: agents.enrolments.markDownloaded,
      });
      bindServerFiguresRoutes(routes, figures);
      bindChatFormsRoutes(routes, chatForms);
      bindAgentTasksRoutes(routes, tasks);
      bindPowerRoutes(routes, power);
      bindSavesRoutes(routes, saves);
    },
    async prepare() {
      await console.prepare();
      await directory.prepare();
      await tasks.prepare();
      await chosenForms.prepare();
    },
    async begin() {
      await agents.prepare();
      pool.reconsider();
      await power.prepare();
      await saves.prepare();
      await statusEvents.prepare();
      statuses.begin();
      figures.begin();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
