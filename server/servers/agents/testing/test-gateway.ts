import { join } from 'node:path';
import type { EventKindName } from '#contracts/kernel/event-kinds.ts';
import { agentSocketPath } from '#contracts/servers/agent-protocol.ts';
import type { CommandResult, GameId } from '#contracts/servers/games.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { listen } from '#runtime/http/listen.ts';
import { answerProblems, nameRequests } from '#runtime/http/problems.ts';
import { createApp } from '#runtime/http/routes.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { createApiRoutes } from '../../../kernel/access/authorize.ts';
import { uncontestedLeases } from '../../../kernel/commands/testing/uncontested-leases.ts';
import { guardHttpEdge } from '../../../kernel/http/http-edge.ts';
import { createSecrets } from '../../../kernel/secrets/secrets.ts';
import { type MigratedDatabase, testOwner } from '../../../kernel/testing/feature-api.ts';
import { bindAgentTasksRoutes } from '../../agent-tasks/agent-tasks.routes.ts';
import { type AgentTasksOptions, type AgentTasksService, createAgentTasks } from '../../agent-tasks.ts';
import { createReadOrigin } from '../admission.ts';
import { type AgentGateway, type AgentGatewayOptions, createAgentGateway } from '../agent-gateway.ts';
import { bindAgentRoutes } from '../agents.routes.ts';
import type { AgentObservers } from '../frame-intake.ts';

export const testAgentSecret = 'a-secret-of-all-game-agents';
/** Key of sealed columns. */
export const testEncryptionKey = '5e'.repeat(32);

/** Servers in use, which a test may change; their rows are in the database. */
export interface TestServers {
  readonly inUse: Map<string, { readonly name: string; readonly game: GameId }>;
  add(id: string, game?: GameId): Promise<void>;
}

export const testServers = async ({ pool }: MigratedDatabase): Promise<TestServers> => {
  await pool.query(
    `insert into clusters (id, name, name_key, description) values ('c', 'c', 'c', '') on conflict do nothing`,
  );
  const inUse: TestServers['inUse'] = new Map();
  return {
    inUse,
    async add(id, game = 'minecraft') {
      await pool.query(
        `insert into game_servers (id, cluster_id, name, name_key, game, port) values ($1, 'c', $2, $1, $3, 1)`,
        [id, `Server ${id}`, game],
      );
      inUse.set(id, { name: `Server ${id}`, game });
    },
  };
};

export interface TestGateway extends AsyncDisposable {
  readonly gateway: AgentGateway;
  readonly tasks: AgentTasksService;
  readonly uploadsFolder: string;
  readonly port: number;
  readonly told: { readonly kind: EventKindName; readonly payload: unknown; readonly serverId?: string }[];
  readonly observed: {
    readonly players: Parameters<AgentObservers['players']>[];
    readonly events: { readonly serverId: string; readonly number: number; readonly text: string | null }[];
    readonly lines: string[];
    readonly late: { readonly id: string; readonly result: CommandResult }[];
    /** Server ids, one entry per change. */
    readonly changed: string[];
  };
  /** Everything that was logged. */
  readonly log: () => string;
  /** Like the death of its process: every connection is cut, nothing is said or written. */
  kill(): Promise<void>;
}

export interface TestGatewayOptions
  extends Partial<
    Pick<
      AgentGatewayOptions,
      'timing' | 'allowPlain' | 'handshakeLimits' | 'wallNow' | 'secrets' | 'offerRelease' | 'fileSources'
    >
  > {
  readonly database: Pick<MigratedDatabase, 'db'>;
  readonly servers: TestServers;
  readonly onEvents?: () => Promise<void>;
  /** It knows no agents yet, as while the database is unavailable. */
  readonly isUnprepared?: boolean;
  /** By default without: what this process commits itself needs none. */
  readonly notifications?: AgentTasksOptions['notifications'];
  readonly leases?: AgentTasksOptions['leases'];
  readonly uploadsFolder?: string;
  /** Limits of connections. */
  readonly limits?: Parameters<typeof listen>[0]['limits'];
}

/** A gateway on its own port. It trusts a proxy on this machine, so that a test can come from anywhere. */
export const startTestGateway = async (options: TestGatewayOptions): Promise<TestGateway> => {
  const {
    database,
    servers,
    onEvents,
    timing = {},
    allowPlain = () => false,
    handshakeLimits,
    limits,
    wallNow,
    secrets = createSecrets([new Secret(testEncryptionKey)]),
  } = options;
  const lines: string[] = [];
  const log = createLog({
    component: 'test',
    level: 'debug',
    destination: { write: (line) => lines.push(line) },
  });
  const told: { kind: EventKindName; payload: unknown; serverId?: string }[] = [];
  const observed: TestGateway['observed'] = { players: [], events: [], lines: [], late: [], changed: [] };
  const trustProxy = ['loopback'];
  const unheard = { listen: () => ({ isListening: () => false, close: async () => undefined }) };
  const uploads = await temporaryFolder('uploads');
  const tasks = createAgentTasks({
    db: database.db,
    notifications: options.notifications ?? unheard,
    leases: options.leases ?? uncontestedLeases,
    uploadsFolder: options.uploadsFolder ?? uploads.path,
    log,
    sweepMs: 20,
    retryMs: 50,
  });
  const gateway = createAgentGateway({
    db: database.db,
    tasks,
    secret: new Secret(testAgentSecret),
    secrets,
    ...(wallNow ? { wallNow } : {}),
    servers: { get: (id) => servers.inUse.get(id) ?? null, ids: () => servers.inUse.keys() },
    allowPlain,
    readOrigin: createReadOrigin(trustProxy),
    offerRelease: options.offerRelease ?? (() => null),
    fileSources: options.fileSources,
    events: {
      record: (kind, payload, { serverId } = {}) =>
        told.push({ kind, payload, ...(serverId === undefined ? {} : { serverId }) }),
    },
    observers: {
      players: (...reading) => observed.players.push(reading),
      async events(serverId, events) {
        await onEvents?.();
        for (const { key, text } of events)
          observed.events.push({ serverId, number: Number(key.slice(key.lastIndexOf(':') + 1)), text });
      },
      lateResult: async (_serverId, id, result) => void observed.late.push({ id, result }),
      lines: (_serverId, said) => observed.lines.push(...said.map(({ text }) => text)),
      chatReading: () => undefined,
      changed: (serverId) => observed.changed.push(serverId),
    },
    log,
    timing: { sweep: 20, retry: 50, ...timing },
    ...(handshakeLimits ? { handshakeLimits } : {}),
  });
  const app = createApp(trustProxy);
  app.use(nameRequests);
  const routes = createApiRoutes(app, { authorize: () => ({ ...testOwner, steppedUp: true }) });
  bindAgentRoutes(routes, gateway);
  bindAgentTasksRoutes(routes, tasks);
  app.use(answerProblems(log));
  const listener = await listen({
    handler: app,
    host: '127.0.0.1',
    port: 0,
    drainMs: 500,
    ...(limits ? { limits } : {}),
  });
  const raw = new Set<{ destroy(): void }>();
  listener.server.on('connection', (socket) => raw.add(socket));
  guardHttpEdge(listener.server, {
    refusal: () => null,
    upgrades: { [agentSocketPath]: gateway.upgrade },
    log,
  });
  if (!options.isUnprepared) {
    await tasks.prepare();
    await gateway.prepare();
  }
  return {
    gateway,
    tasks,
    uploadsFolder: join(uploads.path, uncontestedLeases.processId),
    port: listener.port,
    told,
    observed,
    log: () => lines.join(''),
    async kill() {
      for (const socket of raw) socket.destroy();
      await listener[Symbol.asyncDispose]();
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await tasks[Symbol.asyncDispose]();
      await uploads[Symbol.asyncDispose]();
      await listener[Symbol.asyncDispose]();
    },
  };
};
