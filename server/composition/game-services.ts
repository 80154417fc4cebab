import { EventEmitter } from 'node:events';
import type { LiveTopicName } from '#contracts/kernel/live.ts';
import { gameOf } from '#games/games.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import type { ApiRoutes } from '../kernel/access/authorize.ts';
import type { ConsoleRouter } from '../kernel/commands/console-router.ts';
import type { StateBeginnings } from '../kernel/database/state-beginnings.ts';
import { isRefusal } from '../kernel/http/refusal.ts';
import type { LiveTopic } from '../kernel/live/live-topic.ts';
import { deleteExpired } from '../kernel/logs/log-retention.ts';
import type { QueueControlOptions } from '../kernel/queues/queue-control.ts';
import type { QueuePauses } from '../kernel/queues/queue-pauses.ts';
import { deleteOldModJobs } from '../mods/job-rows.ts';
import { deleteOldPlans } from '../mods/mod-plans.ts';
import { bindModsRoutes } from '../mods/mods.routes.ts';
import type { MaintenanceTask } from '../operations/maintenance.ts';
import type { Settings } from '../operations/settings.ts';
import { deleteOldBanPlaces } from '../people/bans/ban-retention.ts';
import { bindBansRoutes } from '../people/bans/bans.routes.ts';
import { type Bans, createBans } from '../people/bans/bans.ts';
import type { Merging } from '../people/members/merging.ts';
import { replacePlayer } from '../people/members/replace-player.ts';
import { createModerationActions, type ModerationActions } from '../people/players/moderation-actions.ts';
import { createPlayerPolling, type PlayerPollingOptions } from '../people/players/player-polling.ts';
import { createPlayerReading } from '../people/players/player-reading.ts';
import { bindPlayersRoutes } from '../people/players/players.routes.ts';
import { createPlayersTopic } from '../people/players/players-topic.ts';
import { createPresence, type Presence } from '../people/players/presence.ts';
import type { SpokenLine } from '../people/players/record-chat.ts';
import { deleteOldActs } from '../servers/agent-acts.ts';
import { bindAgentTasksRoutes } from '../servers/agent-tasks/agent-tasks.routes.ts';
import { deleteOldAgentTasks } from '../servers/agent-tasks/task-retention.ts';
import type { AgentTasks } from '../servers/agent-tasks.ts';
import type { AgentGateway } from '../servers/agents/agent-gateway.ts';
import { bindAgentRoutes } from '../servers/agents/agents.routes.ts';
import { deleteOldAgentCommands } from '../servers/agents/command-rows.ts';
import type { AgentObservations } from '../servers/agents/frame-intake.ts';
import { bindChatFormsRoutes } from '../servers/chat-forms/chat-forms.routes.ts';
import { createChatForms } from '../servers/chat-forms/chat-forms.ts';
import { createChosenForms } from '../servers/chat-forms/chosen-forms.ts';
import { bindConsoleRoutes } from '../servers/console/console.routes.ts';
import type { Console } from '../servers/console/console.ts';
import { createConsoleHistory } from '../servers/console/console-history.ts';
import { deleteOldLines } from '../servers/console/heard-lines.ts';
import { createKeptLines } from '../servers/console/kept-lines.ts';
import { maskStoredCommands } from '../servers/console/mask-stored-commands.ts';
import { createSavedCommands } from '../servers/console/saved-commands.ts';
import type { ConsolePool } from '../servers/console-pool/console-pool.ts';
import { bindClustersRoutes } from '../servers/game-servers/clusters.routes.ts';
import { createClusters } from '../servers/game-servers/clusters.ts';
import { createConnectionTest } from '../servers/game-servers/connection-test.ts';
import { bindGameServersRoutes } from '../servers/game-servers/game-servers.routes.ts';
import { createGameServers } from '../servers/game-servers/game-servers.ts';
import { createServerDirectory, type ServerDirectory } from '../servers/game-servers/server-directory.ts';
import { bindPowerRoutes } from '../servers/power/power.routes.ts';
import { deleteOldRestoreRuns } from '../servers/saves/restore-runs.ts';
import { bindSavesRoutes } from '../servers/saves/saves.routes.ts';
import { createSaves } from '../servers/saves/saves.ts';
import type { ServerStatuses } from '../servers/server-status/server-status.ts';
import { createServersTopic } from '../servers/server-status/servers-topic.ts';
import { createTasksTopic } from '../servers/tasks-topic.ts';
import { createServerAgents, type ServerAgentsOptions } from './game-services/agents.ts';
import { createConsoles } from './game-services/consoles.ts';
import { createModFileSources } from './game-services/mod-files.ts';
import { createServerMods } from './game-services/mods.ts';
import { createServerPower } from './game-services/power.ts';
import { createSayLine } from './game-services/say-line.ts';
import { createStatuses } from './game-services/statuses.ts';

export interface GameServicesOptions extends Omit<ServerAgentsOptions, 'directory' | 'config' | 'settings'> {
  readonly config: ServerAgentsOptions['config'] & Pick<StackConfig, 'modSourceUrls'>;
  readonly settings: Pick<Settings, 'values' | 'saved' | 'secret'>;
  /** Merges the members of players who turn out to be the same. */
  readonly merging: Pick<Merging, 'merge'>;
  readonly license: {
    /** Whether it lets the API work. */
    holds(): boolean;
    /** Null: any number. */
    maxClusters(): number | null;
  };
  readonly pauses: QueuePauses;
  readonly beginnings: StateBeginnings;
  /** Retention of the console's history. */
  readonly retentionDays: number;
  readonly polling?: Pick<PlayerPollingOptions, 'intervalMs'>;
  readonly restoreRoundMs?: number | undefined;
}

interface GameNews {
  /** Players are known to be on a server, as they were not before; their ids. */
  playersPresent: [readonly string[]];
  /** Something was said in a game. */
  spoken: [readonly SpokenLine[]];
  /** The status of servers was checked again. */
  swept: [];
}

/** Everything about game servers: which exist, how they are reached and what is said to them. */
export interface GameServices extends AsyncDisposable {
  readonly directory: ServerDirectory;
  readonly console: Console;
  /** The holder disposes it before the listener, which waits for its connections. */
  readonly agents: AgentGateway;
  /** What agents are asked for besides commands. */
  readonly tasks: AgentTasks;
  readonly presence: Presence;
  readonly bans: Pick<Bans, 'inspect' | 'round'>;
  /** What the page of queues does to changes of mods. */
  readonly queuedMods: QueueControlOptions['mods'];
  /** A server's current status. */
  readonly statusOf: ServerStatuses['read'];
  readonly pool: ConsolePool;
  readonly router: ConsoleRouter;
  /** What Castellan says to one player. */
  readonly whisper: ModerationActions['whisper'];
  /** Puts a player on a whitelist, or removes one, without a person who asks. */
  readonly whitelist: ModerationActions['whitelist'];
  /** Says a line in the chat of a game. @returns whether the game has replied */
  readonly say: ReturnType<typeof createSayLine>;
  /** What happened in the games, for features that are built on these services. */
  readonly news: EventEmitter<GameNews>;
  /** What agents say, for the same features. */
  readonly observations: Pick<AgentObservations, 'on'>;
  readonly topics: Readonly<
    Record<
      Extract<LiveTopicName, 'servers' | 'players' | 'console' | 'enrolments' | 'agent-tasks'>,
      LiveTopic
    >
  >;
  readonly maintenance: readonly MaintenanceTask[];
  bind(routes: ApiRoutes): void;
  /** Called once the schema is in place. */
  prepare(): Promise<void>;
  /** Decides again which consoles to connect: call it when the license changed. */
  reconsider(): void;
}

/**
 * Leaves first: each part takes only what is built before it. What agents say goes to parts that are built later, so
 * these listen to it.
 */
export const createGameServices = (options: GameServicesOptions): GameServices => {
  const { db, leases, merging, secrets, settings, notifications, events, log, license, retentionDays } =
    options;
  const owned = new AsyncDisposableStack();

  const directory = owned.use(createServerDirectory({ db, notifications, log }));
  const files = createModFileSources({ db, leases, home: options.home, settings });
  const chosenForms = createChosenForms(db);
  const { agents, tasks, observations } = owned.use(
    createServerAgents({ ...options, directory, fileSources: files, chatFormsOf: chosenForms.of }),
  );
  const news = new EventEmitter<GameNews>();
  const presence = owned.use(
    createPresence({
      db,
      servers: directory,
      replacePlayer: (trx, players) => replacePlayer(trx, merging, players),
      isAgentPresent: agents.isPresent,
      onPresent: (playerIds) => news.emit('playersPresent', playerIds),
      onChat: (lines) => news.emit('spoken', lines),
      log,
    }),
  );
  const { pool, router, console, topic, heard, hiddenSecrets, traitsOf } = owned.use(
    createConsoles({ db, leases, secrets, directory, agents, presence, mayConnect: license.holds, log }),
  );
  const keptLines = createKeptLines({ servers: directory, tasks, heard, hiddenSecrets, traitsOf });
  const chatForms = createChatForms({
    db,
    servers: directory,
    chosen: chosenForms,
    online: (serverId) => (presence.read(serverId).players ?? []).map(({ name }) => name),
    async lastLines(serverId, limit, actor) {
      const kept = await keptLines(serverId, { limit }, actor);
      return isRefusal(kept) ? kept : kept.rows.map(({ text }) => text);
    },
    tell: agents.tellChatForms,
  });
  observations.on('chatReading', chatForms.reported);
  observations.on('players', presence.hear);
  observations.on('events', presence.observe);
  observations.on('lines', topic.lines);
  observations.on('lateResult', console.takeLate);
  observations.on('changed', pool.reconsider);
  const polling = owned.use(
    createPlayerPolling({
      servers: {
        all: () =>
          directory
            .all()
            .map(({ id, host, game }) => ({ id, host, restMs: gameOf(game).listPlayers.restMs })),
      },
      listPlayers: pool.listPlayers,
      isAgentPresent: agents.isPresent,
      mayAsk: license.holds,
      presence,
      log,
      ...options.polling,
    }),
  );
  const statuses = owned.use(
    createStatuses({
      db,
      directory,
      agents,
      tasks,
      pool,
      presence,
      polling,
      events,
      beginnings: options.beginnings,
      log,
    }),
  );

  const processes = owned.use(
    createServerPower({ db, directory, agents, tasks, statuses: statuses.current, settings, log }),
  );
  const saves = owned.use(
    createSaves({
      db,
      servers: directory,
      tasks,
      isAgentPresent: agents.isPresent,
      statusOf: statuses.current.read,
      power: processes.power,
      licenseHolds: license.holds,
      roundMs: options.restoreRoundMs,
      log,
    }),
  );
  const serverMods = owned.use(
    createServerMods({
      db,
      config: options.config,
      files,
      agents,
      tasks,
      statuses: statuses.current,
      pauses: options.pauses,
      licenseHolds: license.holds,
      settings,
      log,
    }),
  );
  const { mods } = serverMods;
  const bans = owned.use(
    createBans({
      db,
      ways: router,
      servers: directory,
      sessions: presence.openSessions,
      licenseHolds: license.holds,
      log,
    }),
  );
  observations.on('lateResult', async (serverId, commandId, result) => {
    await bans.takeLate(serverId, commandId, result);
  });
  news.on('swept', bans.wake);
  const moderation = createModerationActions({ db, servers: directory, presence, bans, give: console.give });
  statuses.current.onSweep(() => news.emit('swept'));

  return {
    directory,
    console,
    agents,
    tasks,
    presence,
    bans,
    queuedMods: serverMods.queued,
    statusOf: statuses.current.read,
    pool,
    router,
    whisper: moderation.whisper,
    whitelist: moderation.whitelist,
    say: createSayLine({ servers: directory, router }),
    news,
    observations,
    topics: {
      servers: createServersTopic(statuses.current),
      players: createPlayersTopic(presence),
      console: topic,
      enrolments: agents.enrolmentTopic,
      'agent-tasks': createTasksTopic([tasks, processes, mods]),
    },
    maintenance: [
      {
        name: 'console history',
        run: (signal) => deleteExpired({ db, table: 'console_commands', retentionDays, signal }),
      },
      { name: 'passwords in older commands', run: (signal) => maskStoredCommands(db, log, signal) },
      { name: 'lines of consoles', run: (signal) => deleteOldLines(db, signal) },
      { name: 'servers of ended bans', run: (signal) => deleteOldBanPlaces(db, signal) },
      { name: 'agent tasks', run: (signal) => deleteOldAgentTasks(db, signal) },
      { name: 'acts on processes', run: () => deleteOldActs(db, 'power_acts', retentionDays) },
      { name: 'acts on saves', run: () => deleteOldActs(db, 'save_acts', retentionDays) },
      { name: 'restores of saves', run: () => deleteOldRestoreRuns(db, retentionDays) },
      { name: 'changes of mods', run: () => deleteOldModJobs(db, retentionDays) },
      { name: 'plans of mods', run: () => deleteOldPlans(db) },
      { name: 'uploaded mods', run: serverMods.uploads.deleteOld },
      { name: 'agent commands', run: (signal) => deleteOldAgentCommands(db, secrets, signal) },
      { name: 'agent enrolments', run: agents.enrolments.deleteOld },
    ],
    bind(routes) {
      const { maxClusters } = license;
      bindClustersRoutes(routes, createClusters({ db, maxClusters }), maxClusters);
      bindGameServersRoutes(routes, {
        gameServers: createGameServers({ db, secrets }),
        testConnection: createConnectionTest({ db, secrets }),
        statusOf: statuses.current.read,
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
      bindChatFormsRoutes(routes, chatForms);
      bindAgentTasksRoutes(routes, tasks);
      bindPowerRoutes(routes, processes.power);
      bindSavesRoutes(routes, saves);
      bindModsRoutes(routes, mods, serverMods.uploads);
      serverMods.bind(routes);
      bindBansRoutes(routes, bans);
      bindPlayersRoutes(routes, createPlayerReading(db, presence), moderation);
    },
    async prepare() {
      await console.prepare();
      await directory.prepare();
      await presence.prepare();
      await tasks.prepare();
      await chosenForms.prepare();
      await agents.prepare();
      pool.reconsider();
      await processes.prepare();
      await saves.prepare();
      await serverMods.prepare();
      await statuses.begin();
      polling.begin();
      bans.begin();
    },
    reconsider() {
      pool.reconsider();
      mods.look();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
