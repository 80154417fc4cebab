import type { GameId } from '#contracts/games.ts';
import { settingsHttp } from '#contracts/settings.ts';
import { type Product, productDraft } from '#contracts/store.ts';
import { storeHttp } from '#contracts/store-http.ts';
import { gameOf } from '#games/games.ts';
import { eventually } from '#harness/eventually.ts';
import { call, newServer } from '../../server/testing/call.ts';
import { grantPoints } from '../../server/testing/store-rows.ts';
import { type TestApi, testDesktopCredential } from '../../server/testing/test-api.ts';
import { startArk } from '../simulators/ark-simulator.ts';
import { startMinecraft } from '../simulators/minecraft-simulator.ts';
import { startSevenDays } from '../simulators/seven-days-simulator.ts';
import type { World } from '../simulators/world.ts';

const owner = { as: testDesktopCredential };
export const pointsOfEach = 100_000;
/** The console and the list of players are read by then. */
const connectMs = 240_000;

export type Fate = 'lost' | 'heard' | 'repeated';

export interface Stall {
  readonly game: GameId;
  readonly serverId: string;
  readonly world: World;
  readonly product: Product;
  /** The lines of its chat name players by an id. */
  readonly isProven: boolean;
  /** A player says something; on its way the line is lost, heard, or heard several times. */
  say(name: string, text: string, fate: Fate): Promise<void>;
  /** What the player was told alone. */
  whispers(name: string): readonly string[];
  /** The owner changes the price. */
  reprice(price: number): Promise<void>;
  /** By name. */
  readonly members: Map<string, string>;
  /** Players come, and customers have points. */
  gather(customers: readonly string[], others: readonly string[]): Promise<void>;
}

const products = {
  minecraft: 'minecraft:diamond',
  'ark-asa':
    "Blueprint'/Game/PrimalEarth/CoreBlueprints/Resources/PrimalItemResource_Stone.PrimalItemResource_Stone'",
  'seven-days-to-die': 'resourceWood',
} as const;

const required = async (asked: ReturnType<typeof call>) => {
  const answer = await asked;
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json;
};

/** The owner lets players buy by chat. */
export const openShop = async (api: TestApi): Promise<void> => {
  const body = { version: 0, values: { isOpen: true } };
  await required(call(api.port, settingsHttp.change, { ...owner, params: { section: 'chat-shop' }, body }));
};

/** Three games at the edge of the world, each with one product. */
export const openMarket = async (
  api: TestApi,
  owned: AsyncDisposableStack,
  random: () => number,
): Promise<readonly Stall[]> => {
  const minecraft = owned.use(
    await startMinecraft({ quirks: { plugins: 'reached', swallowsMessages: true } }),
  );
  const ark = owned.use(await startArk());
  const sevenDays = owned.use(await startSevenDays());
  const stalls: Stall[] = [];
  for (const simulator of [minecraft, ark, sevenDays]) {
    // Answers come late, and not always equally late.
    simulator.quirks.replyDelayMs = Math.floor(random() * 5);
    stalls.push(await openStall(api, simulator));
  }
  let fate: Fate = 'heard';
  sevenDays.quirks.timesSent = (line) => (line.includes("to 'Global'") ? timesOf(fate) : 1);
  const [, , telnet] = stalls;
  if (!telnet) throw new Error('a stall is missing');
  return [
    ...stalls.slice(0, 2),
    {
      ...telnet,
      isProven: true,
      async say(name, text, wanted) {
        fate = wanted;
        sevenDays.world.chat(name, text);
        fate = 'heard';
      },
    },
  ];
};

const timesOf = (fate: Fate): number => ({ lost: 0, heard: 1, repeated: 3 })[fate];

type Simulated = Awaited<ReturnType<typeof startMinecraft | typeof startArk | typeof startSevenDays>>;

const openStall = async (api: TestApi, simulator: Simulated): Promise<Stall> => {
  const { port } = api;
  const { game, world, log } = simulator;
  const { gameServices, database } = api.context;
  const address = { host: '127.0.0.1', port: simulator.port, password: simulator.password };
  const serverId = await newServer(port, { name: `${game} ${simulator.port}`, game, ...address });
  const itemOfGame = products[game as keyof typeof products];
  const draft = productDraft.parse({
    name: 'Stone',
    price: 10,
    game,
    serverIds: [serverId],
    lines: [{ kind: 'command', command: `say ${itemOfGame.length} {quantity}`, needsPlayer: false }],
    isEnabled: true,
  });
  const product = (await required(
    call(port, storeHttp.create, { ...owner, body: draft }),
  )) as unknown as Product;
  const members = new Map<string, string>();
  let version = product.version;
  let read = 0;
  let repriced = Promise.resolve();
  return {
    game,
    serverId,
    world,
    product,
    members,
    isProven: false,
    // As an agent does that reads the game's log: what it tells again has the same key.
    async say(name, text, fate) {
      world.chat(name, text);
      const lines = log.lines.slice(read);
      const from = read;
      read = log.lines.length;
      for (const [index, line] of lines.entries()) {
        const seen = gameOf(game).readLogLine(line);
        if (seen?.kind !== 'chat') continue;
        const event = { ...seen, at: new Date(), key: `${serverId}:${from + index}` };
        for (let told = 0; told < timesOf(fate); told += 1)
          await gameServices.presence.observe(serverId, [event]);
      }
    },
    whispers: (name) => world.messages.filter(({ to }) => to === name).map(({ text }) => text),
    // One after another: each change begins with the version that the one before has left.
    reprice(price) {
      repriced = repriced.then(async () => {
        const body = { ...draft, price, version };
        const changed = await required(
          call(port, storeHttp.change, { ...owner, params: { id: product.id }, body }),
        );
        version = Number(changed.version);
      });
      return repriced;
    },
    async gather(customers, others) {
      const names = [...customers, ...others];
      for (const name of names) world.join(name);
      const present = await eventually(() => {
        const players = gameServices.presence.openSessions().filter((one) => one.serverId === serverId);
        const missing = names.filter((name) => !players.some((player) => player.name === name));
        if (missing.length > 0) throw new Error(`not seen yet: ${missing.join(', ')}`);
        return players;
      }, connectMs);
      for (const { name, playerId } of present) {
        const { member_id } = await database.db
          .selectFrom('players')
          .select('member_id')
          .where('id', '=', playerId)
          .executeTakeFirstOrThrow();
        if (members.has(name)) continue;
        members.set(name, member_id);
        if (customers.includes(name)) await grantPoints(database.pool, member_id, pointsOfEach);
      }
    },
  };
};
