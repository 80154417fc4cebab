import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentProtocolVersion, apiFrame } from '#contracts/servers/agent-protocol.ts';
import type { CommandResult, GameId } from '#contracts/servers/games.ts';
import type { DeliveryLine } from '#contracts/store/store.ts';
import { Secret } from '#runtime/secret.ts';
import { createConsoleRouter, type DeliveryRoutes } from '../../../kernel/commands/console-router.ts';
import { createLeases, type Leases } from '../../../kernel/commands/leases.ts';
import { type MigratedDatabase, migratedDatabase, silentLog } from '../../../kernel/testing/feature-api.ts';
import {
  agentIdentity,
  answered,
  joinSocket,
  type SocketAgent,
} from '../../../servers/agents/testing/scripted-agent.ts';
import {
  startTestGateway,
  type TestGateway,
  testServers,
} from '../../../servers/agents/testing/test-gateway.ts';
import { type ConsolePool, createConsolePool } from '../../../servers/console-pool/console-pool.ts';
import type { LinkableServer } from '../../../servers/console-pool/pooled-console.ts';
import { type StoreContextOfATest, storeContextOfATest } from '../../testing/store-context-of-a-test.ts';
import { createDeliveries, type Deliveries } from '../deliveries.ts';
import type { PresentPlayer, TargetServer } from '../delivery-targets.ts';
import type { DeliveryTiming } from '../delivery-timing.ts';
import { addDeliveries } from '../new-deliveries.ts';

/** What a scripted agent does with a command: the game's reply, the whole result, or nothing. */
export type Obey = (command: string) => string | CommandResult | null;

export interface DeliveriesOfATest extends AsyncDisposable {
  readonly database: MigratedDatabase;
  readonly context: StoreContextOfATest;
  readonly deliveries: Deliveries;
  readonly gateway: TestGateway;
  readonly ways: DeliveryRoutes;
  readonly servers: StoreContextOfATest['servers'];
  readonly sent: { readonly memberId: string }[];
  readonly home: string;
  licensed: boolean;
  /** Like a process that starts; the previous one is left as a kill leaves it. */
  restart(): Promise<Deliveries>;
  /** The ways to the games of another process, which knows which former ones have ended. */
  process(...endedProcesses: readonly string[]): DeliveryRoutes;
  /** Deliveries of another process; the caller disposes them. */
  beside(ways: DeliveryRoutes): Promise<Deliveries>;
  server(game: GameId, console?: { readonly port: number; readonly password: string }): Promise<string>;
  /** Takes a server out of use, as the panel archives it, or puts it back. */
  archive(serverId: string): Promise<void>;
  unarchive(serverId: string): Promise<void>;
  /** An agent that obeys. */
  agent(serverId: string, obey: Obey): Promise<SocketAgent>;
  /** A member with one player. */
  member(name: string, game: GameId, platformId?: string): Promise<{ memberId: string; playerId: string }>;
  /** @param confirmedAt when a list last showed the player; by default every list does */
  join(serverId: string, playerId: string, name: string): void;
  leave(playerId: string): void;
  /** Bought and paid. @returns the ids of the deliveries */
  buy(
    memberId: string,
    game: GameId,
    lines: readonly DeliveryLine[],
    more?: { readonly points?: number; readonly expiresAt?: Date; readonly serverIds?: readonly string[] },
  ): Promise<string[]>;
  row(id: string): Promise<Record<string, unknown> & { state: string }>;
  balance(memberId: string): Promise<number>;
}

const quickly = {
  lookMs: 20,
  settleMs: 300,
  presenceMs: 2000,
  answerMs: 1500,
  shortRestMs: 50,
  sweepMs: 3_600_000,
  markPauseMs: 0,
};

export const deliveriesOfATest = async (timing: Partial<DeliveryTiming> = {}): Promise<DeliveriesOfATest> => {
  const owned = new AsyncDisposableStack();
  const database = owned.use(await migratedDatabase());
  const { pool, db } = database;
  const home = await mkdtemp(join(tmpdir(), 'deliveries-'));
  owned.defer(() => rm(home, { recursive: true }));
  const servers: (TargetServer & LinkableServer)[] = [];
  const archived: (TargetServer & LinkableServer)[] = [];
  const changed = new Set<() => void>();
  const testing = await testServers(database);
  const gateway = owned.use(await startTestGateway({ database, servers: testing, timing: { grace: 300 } }));
  const consoles: ConsolePool = owned.use(
    createConsolePool({
      servers: {
        get: (id) => servers.find((one) => one.id === id) ?? null,
        all: () => servers,
        subscribe(listener) {
          changed.add(listener);
          return () => changed.delete(listener);
        },
      },
      openPassword: (_serverId, sealed) => new Secret(sealed),
      isAgentPresent: gateway.gateway.isPresent,
      mayConnect: () => true,
      onLine: () => undefined,
    }),
  );
  const routes = (leases: Leases) =>
    createConsoleRouter({ agents: gateway.gateway, links: consoles, leases, log: silentLog });
  const ways = routes(owned.use(createLeases({ db, log: silentLog })));
  const present: PresentPlayer[] = [];
  const sent: { memberId: string }[] = [];
  const jobs = {
    attach: () => undefined,
    send: async (_trx: unknown, _queue: string, data: object) => {
      sent.push(data as { memberId: string });
      return true;
    },
  };
  const context = storeContextOfATest(db, {
    home,
    jobs,
    ways,
    servers: { all: () => servers, subscribe: () => () => undefined },
    presence: { openSessions: () => present },
    tasks: gateway.tasks,
    licenseHolds: () => store.licensed,
    timing: { ...quickly, ...timing },
  });
  const begin = async (through: DeliveryRoutes): Promise<Deliveries> => {
    const deliveries = createDeliveries({ ...context, ways: through });
    await deliveries.prepare();
    return deliveries;
  };
  const agents: SocketAgent[] = [];
  /** An agent that comes back keeps its key. */
  const identities = new Map<string, ReturnType<typeof agentIdentity>>();

  const store = {
    licensed: true,
    deliveries: undefined as unknown as Deliveries,
    async restart() {
      await store.deliveries[Symbol.asyncDispose]();
      store.deliveries = await begin(ways);
      return store.deliveries;
    },
    process(...endedProcesses: readonly string[]) {
      const leases = createLeases({ db, log: silentLog });
      const told = leases.endProcesses(endedProcesses);
      return routes({
        ...leases,
        async takeOver(commandIds) {
          await told;
          return leases.takeOver(commandIds);
        },
      });
    },
    beside: begin,
  };
  store.deliveries = await begin(ways);

  return Object.assign(store, {
    database,
    gateway,
    context,
    ways,
    servers: context.servers,
    sent,
    home,
    async server(game: GameId, console?: { readonly port: number; readonly password: string }) {
      const id = `s${servers.length + archived.length + 1}`;
      await testing.add(id, game);
      servers.push({
        id,
        clusterId: 'c',
        game,
        host: console ? '127.0.0.1' : null,
        port: console?.port ?? 1,
        password: console?.password ?? null,
      });
      for (const listener of changed) listener();
      return id;
    },
    async archive(serverId: string) {
      await pool.query('update game_servers set archived_at = now() where id = $1', [serverId]);
      const at = servers.findIndex(({ id }) => id === serverId);
      archived.push(...servers.splice(at, 1));
      for (const listener of changed) listener();
      testing.inUse.delete(serverId);
      gateway.gateway.forget(serverId);
      present.splice(0, present.length, ...present.filter((player) => player.serverId !== serverId));
      store.deliveries.onServersGone();
    },
    async unarchive(serverId: string) {
      await pool.query('update game_servers set archived_at = null where id = $1', [serverId]);
      const at = archived.findIndex(({ id }) => id === serverId);
      const [server] = archived.splice(at, 1);
      if (!server) throw new Error(`${serverId} was not archived`);
      servers.push(server);
      testing.inUse.set(serverId, { name: `Server ${serverId}`, game: server.game });
      for (const listener of changed) listener();
    },
    async agent(serverId: string, obey: Obey) {
      const game = servers.find(({ id }) => id === serverId)?.game ?? 'minecraft';
      const identity = identities.get(serverId) ?? agentIdentity(serverId);
      identities.set(serverId, identity);
      const agent = await joinSocket(gateway.port, identity, { changes: { game } });
      agents.push(agent);
      agent.send({ v: agentProtocolVersion, type: 'command-journal', journal: 'j'.repeat(22) });
      agent.socket.on('message', (data) => {
        const frame = apiFrame.parse(JSON.parse(String(data)));
        if (frame.type !== 'command') return;
        agent.send({ v: agentProtocolVersion, type: 'accepted', commandIds: [frame.id] });
        const reply = obey(frame.command);
        if (reply === null) return;
        const result = typeof reply === 'string' ? answered(reply) : reply;
        agent.send({ v: agentProtocolVersion, type: 'result', commandId: frame.id, result });
      });
      agent.heartbeat(1, []);
      return agent;
    },
    async member(name: string, game: GameId, platformId?: string) {
      const { rows } = await pool.query<{ id: string }>(
        `insert into players (identity, game, platform_id, name, name_key) values ($1, $2, $3, $4, $4) returning id`,
        [platformId ?? `name:${game}:${name}`, game, platformId ?? null, name],
      );
      const playerId = rows[0]?.id ?? '';
      const found = await pool.query<{ member_id: string }>('select member_id from players where id = $1', [
        playerId,
      ]);
      const memberId = found.rows[0]?.member_id ?? '';
      await pool.query(
        `insert into ledger (kind, from_account, to_account, to_member, amount, actor)
         values ('grant', 'issued', 'wallet', $1, 1000, 'test')`,
        [memberId],
      );
      return { memberId, playerId };
    },
    join(serverId: string, playerId: string, name: string) {
      present.push({
        serverId,
        playerId,
        name,
        handle: '',
        isCertain: true,
      });
    },
    leave(playerId: string) {
      const at = present.findIndex((player) => player.playerId === playerId);
      if (at >= 0) present.splice(at, 1);
    },
    async buy(
      memberId: string,
      game: GameId,
      lines: readonly DeliveryLine[],
      more: {
        readonly points?: number;
        readonly expiresAt?: Date;
        readonly serverIds?: readonly string[];
      } = {},
    ) {
      const { points = 10, expiresAt = null, serverIds = [] } = more;
      const product = randomUUID();
      await pool.query('insert into products (id) values ($1)', [product]);
      await pool.query(
        `insert into product_versions (product_id, version, name, name_key, description, category, price, game, lines)
         values ($1, 1, 'Starter kit', 'starter kit', '', '', $2, $3, '[]')`,
        [product, points * lines.length, game],
      );
      const orderId = randomUUID();
      await pool.query(
        `insert into orders (id, member_id, receiver_id, total, source, actor) values ($1, $2, $2, $3, 'panel', 'test')`,
        [orderId, memberId, points * lines.length],
      );
      await pool.query(
        `insert into ledger (kind, from_account, from_member, to_account, amount, order_id, actor)
         values ('purchase', 'wallet', $1, 'sales', $2, $3, 'test')`,
        [memberId, points * lines.length, orderId],
      );
      const line = await pool.query<{ id: string }>(
        `insert into order_lines (order_id, product_id, product_version, receiver_id, quantity, unit_price)
         values ($1, $2, 1, $3, 1, $4) returning id`,
        [orderId, product, memberId, points * lines.length],
      );
      const ids = await db.transaction().execute((trx) =>
        addDeliveries(
          context,
          trx,
          lines.map((one) => ({
            approval: one.kind === 'command' ? { by: 'admin:a', name: 'Ann' } : null,
            orderId,
            orderLineId: line.rows[0]?.id ?? '',
            memberId,
            game,
            clusterIds: [],
            serverIds,
            line: one,
            points,
            expiresAt,
          })),
        ),
      );
      return [...ids];
    },
    async row(id: string) {
      const { rows } = await pool.query('select * from deliveries where id = $1', [id]);
      return rows[0] as Record<string, unknown> & { state: string };
    },
    async balance(memberId: string) {
      const { rows } = await pool.query<{ balance: string }>(
        'select balance from wallets where member_id = $1',
        [memberId],
      );
      return Number(rows[0]?.balance);
    },
    async [Symbol.asyncDispose]() {
      for (const agent of agents) agent[Symbol.dispose]();
      await store.deliveries[Symbol.asyncDispose]();
      await owned.disposeAsync();
    },
  });
};
