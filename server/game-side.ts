import type { Kysely } from 'kysely';
import type { LiveTopicName } from '#contracts/live.ts';
import { gameOf } from '#games/games.ts';
import type { Log } from '#runtime/log.ts';
import type { ApiRoutes } from './access/authorize.ts';
import { type AgentGateway, type AgentGatewayOptions, createAgentGateway } from './agents/agent-gateway.ts';
import { bindAgentRoutes } from './agents/agents.routes.ts';
import { deleteOldAgentCommands } from './agents/command-retention.ts';
import { bindConsoleRoutes } from './console/console.routes.ts';
import { type Console, createConsole } from './console/console.ts';
import { createConsoleHistory } from './console/console-history.ts';
import { createConsoleTopic } from './console/console-topic.ts';
import { createSavedCommands } from './console/saved-commands.ts';
import { type ConsolePool, createConsolePool } from './console-pool/console-pool.ts';
import { createLineEvents } from './console-pool/line-events.ts';
import { type ConsoleRouter, createConsoleRouter } from './console-router/console-router.ts';
import type { Notifications } from './database/notifications.ts';
import type { Tables } from './database/tables.ts';
import type { EventRecorder } from './events/event-recorder.ts';
import { bindClustersRoutes } from './game-servers/clusters.routes.ts';
import { createClusters } from './game-servers/clusters.ts';
import { createConnectionTest } from './game-servers/connection-test.ts';
import { bindGameServersRoutes } from './game-servers/game-servers.routes.ts';
import { createGameServers } from './game-servers/game-servers.ts';
import { openPassword, unreadableInWords } from './game-servers/rcon-password.ts';
import { createServerDirectory, type ServerDirectory } from './game-servers/server-directory.ts';
import type { LiveTopic } from './live/live-topic.ts';
import { deleteExpired } from './logs/log-retention.ts';
import type { MaintenanceTask } from './maintenance/maintenance.ts';
import { createModerationActions } from './players/moderation-actions.ts';
import { createPlayerPolling } from './players/player-polling.ts';
import { createPlayerReading } from './players/player-reading.ts';
import { bindPlayersRoutes } from './players/players.routes.ts';
import { createPlayersTopic } from './players/players-topic.ts';
import { createPresence, type Presence } from './players/presence.ts';
import type { Secrets } from './secrets/secrets.ts';
import { createServerStatuses, type ServerStatuses } from './server-status/server-status.ts';
import { createServersTopic } from './server-status/servers-topic.ts';
import { createStatusEvents } from './server-status/status-events.ts';

export interface GameSideOptions {
  readonly db: Kysely<Tables>;
  readonly secrets: Secrets;
  readonly notifications: Notifications;
  readonly events: EventRecorder;
  readonly log: Log;
  readonly license: {
    /** Whether it lets the API work. */
    holds(): boolean;
    /** Null: any number. */
    maxClusters(): number | null;
  };
  /** Of the console's history. */
  readonly retentionDays: number;
  readonly agents: Pick<AgentGatewayOptions, 'secret' | 'allowPlain' | 'readOrigin'>;
}

/** Everything about game servers: which there are, how they are reached and what is said to them. */
export interface GameSide extends AsyncDisposable {
  readonly directory: ServerDirectory;
  readonly links: ConsolePool;
  readonly reach: ConsoleRouter;
  readonly statuses: ServerStatuses;
  readonly console: Console;
  /** Whoever holds it ends it before the listener, which waits for its connections. */
  readonly agents: AgentGateway;
  readonly presence: Presence;
  readonly topics: Readonly<Record<Extract<LiveTopicName, 'servers' | 'players' | 'console'>, LiveTopic>>;
  readonly maintenance: readonly MaintenanceTask[];
  bind(routes: ApiRoutes): void;
  /** Once the schema stands. */
  prepare(): Promise<void>;
  /** Looks anew at what is reached how: call it when an agent came or went, or the license changed. */
  reconsider(): void;
}

export const createGameSide = (options: GameSideOptions): GameSide => {
  const { db, secrets, notifications, events, log, license, retentionDays } = options;
  const owned = new AsyncDisposableStack();

  const directory = owned.use(createServerDirectory({ db, notifications, log }));
  owned.defer(
    directory.subscribe((gone) => {
      for (const serverId of gone) agents.forget(serverId);
    }),
  );
  const presence = owned.use(
    createPresence({ db, servers: directory, isAgentPresent: (id) => agents.isPresent(id), log }),
  );
  const agents = createAgentGateway({
    ...options.agents,
    db,
    servers: { get: directory.get, ids: () => directory.all().map(({ id }) => id) },
    events,
    observers: {
      players: presence.hear,
      events: presence.observe,
      lines: (serverId, lines) => consoleTopic.lines(serverId, lines),
      lateResult: (...late) => console.takeLate(...late),
      changed: (serverId) => links.reconsider(serverId),
    },
    log,
  });
  const consoleTopic = createConsoleTopic({ servers: directory, watch: agents.watch });
  const lineEvents = owned.use(createLineEvents({ observe: presence.observe, log }));
  const readLine = (serverId: string, text: string) => {
    const at = new Date();
    consoleTopic.lines(serverId, [{ at, text }]);
    const server = directory.get(serverId);
    const seen = server && gameOf(server.game).readLogLine(text);
    if (seen) lineEvents.take(serverId, { text: null, ...seen, at });
  };
  const links = owned.use(
    createConsolePool({
      servers: directory,
      openPassword(serverId, sealed) {
        const opened = openPassword(secrets, serverId, sealed);
        return opened.outcome === 'open' ? opened.secret : { unreadable: unreadableInWords(opened) };
      },
      isAgentPresent: agents.isPresent,
      mayConnect: license.holds,
      onLine: readLine,
    }),
  );
  const reach = createConsoleRouter({ agents, links, log });
  const statuses = owned.use(
    createServerStatuses({
      servers: directory,
      factsOf: (serverId) => ({
        nowMs: Date.now(),
        agent: agents.lastReport(serverId),
        isAgentPresent: agents.isPresent(serverId),
        isAgentKnown: agents.isKnown(serverId),
        link: links.read(serverId),
        listComplaint: polling.complaint(serverId),
        hasAddress: directory.get(serverId)?.host != null,
      }),
      playersOn: presence.count,
    }),
  );
  const statusEvents = createStatusEvents({
    db,
    servers: directory,
    statusOf: (serverId) => statuses.all().get(serverId)?.status,
    events,
  });
  statuses.onSweep(statusEvents.look);
  const console = owned.use(
    createConsole({
      db,
      reach: reach.run,
      resultsOf: agents.results,
      onEntry: consoleTopic.entry,
      log,
    }),
  );
  const polling = owned.use(
    createPlayerPolling({
      servers: {
        all: () =>
          directory
            .all()
            .map(({ id, host, game }) => ({ id, host, restMs: gameOf(game).listPlayers.restMs })),
      },
      listPlayers: links.listPlayers,
      isAgentPresent: agents.isPresent,
      mayAsk: license.holds,
      presence,
      log,
    }),
  );

  return {
    directory,
    links,
    reach,
    statuses,
    console,
    agents,
    presence,
    topics: {
      servers: createServersTopic(statuses),
      players: createPlayersTopic(presence),
      console: consoleTopic,
    },
    maintenance: [
      {
        name: 'console history',
        run: (signal) => deleteExpired({ db, table: 'console_commands', retentionDays, signal }),
      },
      { name: 'agent commands', run: (signal) => deleteOldAgentCommands(db, signal) },
    ],
    bind(routes) {
      const { maxClusters } = license;
      bindClustersRoutes(routes, createClusters({ db, maxClusters }), maxClusters);
      bindGameServersRoutes(routes, {
        gameServers: createGameServers({ db, secrets }),
        testConnection: createConnectionTest({ db, secrets }),
        statusOf: statuses.read,
        // What is committed is committed: the directory hears of it a little later, then.
        onChanged: () =>
          directory
            .refresh()
            .catch((error: unknown) => log.warn({ err: error }, 'the game servers could not be read anew')),
      });
      bindConsoleRoutes(routes, {
        console,
        history: createConsoleHistory({ db, retentionDays }),
        savedCommands: createSavedCommands(db),
      });
      bindAgentRoutes(routes, agents);
      bindPlayersRoutes(
        routes,
        createPlayerReading(db, presence),
        createModerationActions({ db, servers: directory, presence, give: console.give }),
      );
    },
    async prepare() {
      await console.prepare();
      await directory.prepare();
      await presence.prepare();
      await agents.prepare();
      links.reconsider();
      await statusEvents.prepare();
      statuses.begin();
      polling.begin();
    },
    reconsider: () => links.reconsider(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
