import { once } from 'node:events';
import { join } from 'node:path';
import type { Endpoint, EndpointResponse } from '#contracts/kernel/http.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { startAgentBeside } from '#harness/agent-beside.ts';
import { eventually } from '#harness/eventually.ts';
import { type HeldDatabase, openHeldDatabase } from '#harness/held-database.ts';
import { type ApiProcess, installOver } from '#harness/licensed-home.ts';
import { ownedDatabase } from '#harness/owned-database.ts';
import { callAsOwner, type OwnerCall } from '#harness/owner-call.ts';
import { openShiftedClock, type ShiftedClock } from '#harness/shifted-clock.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { type MinecraftSimulator, startMinecraft } from '#simulators/minecraft-simulator.ts';
import { programsFolder } from '../../build/bundle.ts';
import { sqlSession } from '../../server/kernel/testing/sql.ts';

export type Way = 'agent' | 'direct';

/** Kinds of timed products: proven by the replies, by asking the game itself, or by nothing. */
const kinds = {
  rank: {
    key: 'rank:vip',
    command: 'lp user {player} parent add vip',
    counterCommand: 'lp user {player} parent remove vip',
    success: ['*now inherits*', '*already inherits*'],
    needsPlayer: false,
    taken: ['*no longer inherits*', '*does not already inherit*'],
  },
  whitelist: {
    key: 'whitelist',
    command: 'whitelist add {player}',
    counterCommand: 'whitelist remove {player}',
    success: ['Added *', '*already whitelisted*'],
    needsPlayer: false,
    taken: [],
  },
  title: {
    key: 'title:hero',
    command: 'say {player} is a hero',
    counterCommand: 'say {player} is no hero',
    success: [],
    needsPlayer: true,
    taken: [],
  },
} as const;
export type Kind = keyof typeof kinds;
export const allKinds = Object.keys(kinds) as Kind[];

export const keyOf = (kind: Kind): string => kinds[kind].key;
export const counterCommandOf = (kind: Kind, player: string): string =>
  kinds[kind].counterCommand.replace('{player}', player);

/** The state at a place where something was given. */
export interface StoredPlace {
  readonly id: string;
  readonly memberId: string;
  readonly key: string;
  readonly state: string;
  readonly isSent: boolean;
  readonly endedAt: Date | null;
}

/** An API as it ships, over a Postgres that can be cut off, with a game whose world shows what really happened. */
export interface LastingStack extends AsyncDisposable {
  readonly game: MinecraftSimulator;
  readonly clock: ShiftedClock;
  readonly database: HeldDatabase;
  /** By player. */
  readonly members: ReadonlyMap<string, string>;
  api(): ApiProcess;
  /** @param untilReady false if it may be killed before it is ready */
  start(untilReady?: boolean): Promise<void>;
  /** Kills in this same turn of the event loop; resolves when the process has ended. */
  kill(): Promise<void>;
  call<E extends Endpoint>(endpoint: E, input?: OwnerCall): Promise<EndpointResponse<E>>;
  /** Buys without waiting for the delivery. @returns the order's id */
  buy(player: string, kind: Kind, seconds: number): Promise<string>;
  /** Resolves when all these orders have been delivered. */
  delivered(orderIds: readonly string[]): Promise<void>;
  places(): Promise<readonly StoredPlace[]>;
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

const patientMs = 60_000;

export const openLastingStack = async (way: Way, players: readonly string[]): Promise<LastingStack> => {
  await using opening = new AsyncDisposableStack();
  const game = opening.use(await startMinecraft({ quirks: { ranks: 'told' } }));
  const clock = opening.use(await openShiftedClock());
  const owned = opening.use(await ownedDatabase());
  const database = opening.use(await openHeldDatabase(owned.url));
  const installation = opening.use(await installOver(database.url, {}, join(programsFolder, 'api.mjs')));
  const start = (untilReady = true) => installation.startApi({ env: clock.env, untilReady });
  let api = await start();
  const sql = opening.use(await sqlSession(owned.url));

  const call: LastingStack['call'] = (endpoint, input) => callAsOwner(api, endpoint, input);
  const { id: clusterId } = await call(clustersHttp.create, { body: { name: 'One', description: '' } });
  const { port, password } = game;
  const reach = way === 'agent' ? { port } : { host: '127.0.0.1', port, password };
  const server = { clusterId, name: 'Ranked', game: 'minecraft', ...reach };
  const { id: serverId } = await call(gameServersHttp.create, { body: server });
  for (const player of players) game.world.join(player);
  if (way === 'agent') {
    const folder = opening.use(await temporaryFolder('agents')).path;
    const secret = installation.variables.GAME_AGENT_SECRET ?? '';
    const { apiUrl } = installation;
    opening.use(
      await startAgentBeside({
        apiUrl,
        secret,
        serverId,
        game: 'minecraft',
        console: { port, password },
        folder,
      }),
    );
  }
  const members = await eventually(async () => {
    const rows = await sql.query<{ name: string; member_id: string }>('select name, member_id from players');
    if (rows.length < players.length) throw new Error(`${rows.length} players were seen`);
    return new Map(rows.map(({ name, member_id }) => [name, member_id]));
  }, patientMs);
  for (const id of members.values())
    await call(membersHttp.grant, { params: { id }, body: { kind: 'grant', points: 10_000 } });

  const products = new Map<string, string>();
  const productOf = async (kind: Kind, seconds: number): Promise<string> => {
    const name = `${kind} for ${seconds} s`;
    const { key, taken, ...line } = kinds[kind];
    const lines = [{ kind: 'command', ...line, lasts: { key, seconds, extends: true, taken } }];
    const draft = { name, price: 1, game: 'minecraft', lines, isEnabled: true };
    const id = products.get(name) ?? (await call(storeHttp.create, { body: draft })).id;
    products.set(name, id);
    return id;
  };

  const parts = opening.move();
  return {
    game,
    clock,
    database,
    members,
    api: () => api,
    async start(untilReady) {
      api = await start(untilReady);
    },
    async kill() {
      const { process } = api;
      if (process.exitCode !== null || process.signalCode !== null) return;
      const exited = once(process, 'exit');
      process.kill('SIGKILL');
      await exited;
    },
    call,
    async buy(player, kind, seconds) {
      const productId = await productOf(kind, seconds);
      const body = { memberId: members.get(player), lines: [{ productId }] };
      return (await call(ordersHttp.place, { body })).id;
    },
    delivered: (orderIds) =>
      eventually(async () => {
        const open = await sql.query<{ state: string; detail: string | null }>(
          `select state, detail from deliveries where order_id = any($1) and state <> 'delivered'`,
          [orderIds],
        );
        if (open.length > 0) throw new Error(JSON.stringify(open));
      }, patientMs),
    places: () =>
      sql.query<StoredPlace>(
        `select place.id, one.member_id as "memberId", one.key, place.state, place.is_sent as "isSent",
                one.ended_at as "endedAt"
           from entitlement_places as place join entitlements as one on one.id = place.entitlement_id`,
      ),
    query: sql.query,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
};
