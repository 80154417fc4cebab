import type pg from 'pg';
import { settingsHttp } from '#contracts/operations/settings.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { type Product, productDraft } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { gameOf } from '#games/games.ts';
import { eventually } from '#harness/eventually.ts';
import { call, newServer } from '../../server/kernel/testing/call.ts';
import { testDesktopCredential } from '../../server/kernel/testing/test-api.ts';
import { trustChat } from '../../server/kernel/testing/trust-chat.ts';
import { type ArkSimulator, startArk } from '../simulators/ark-simulator.ts';
import { type MinecraftSimulator, startMinecraft } from '../simulators/minecraft-simulator.ts';
import { type SevenDaysSimulator, startSevenDays } from '../simulators/seven-days-simulator.ts';
import type { World } from '../simulators/world.ts';
import type { ShopProcess } from './shop-process.ts';

const owner = { as: testDesktopCredential };
/** Within this time the console and the list of players are connected and read. */
const connectMs = 240_000;

export type Fate = 'lost' | 'heard' | 'repeated';

export interface Stall {
  readonly game: GameId;
  readonly serverId: string;
  readonly world: World;
  readonly product: Product;
  /** The lines of its chat identify players by an id. */
  readonly isProven: boolean;
  /** A player says something; in transit the line is lost, received once, or received several times. */
  say(name: string, text: string, fate: Fate): void;
  /** The private messages to the player. */
  whispers(name: string): readonly string[];
  /** The owner changes the price. */
  reprice(price: number): Promise<void>;
  /** While deaf, no private message reaches the player. */
  deafen(name: string, isDeaf: boolean): void;
  /** The game answers late, and does not answer half of all private messages at all, although it shows them. */
  slowDown(): void;
  /** Member ids by player name. */
  readonly members: Map<string, string>;
  /** Players join. */
  gather(names: readonly string[]): Promise<void>;
}

export interface Market {
  readonly shop: Pick<ShopProcess, 'port' | 'tell' | 'steadily'>;
  readonly pool: pg.Pool;
  readonly random: () => number;
}

type Simulated = MinecraftSimulator | ArkSimulator | SevenDaysSimulator;
type Ways = Pick<Stall, 'say' | 'deafen' | 'isProven'>;

const products = {
  minecraft: 'minecraft:diamond',
  'ark-asa':
    "Blueprint'/Game/PrimalEarth/CoreBlueprints/Resources/PrimalItemResource_Stone.PrimalItemResource_Stone'",
  'seven-days-to-die': 'resourceWood',
} as const;

const slowMs = 1500;
const isWhisper = /\b(?:tell|pm|ServerChatTo)\b/;

const required = async (asked: ReturnType<typeof call>) => {
  const answer = await asked;
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json;
};

/** Switches on buying by chat. */
export const openShop = async ({ shop }: Market): Promise<void> => {
  const body = { version: 0, values: { isOpen: true } };
  const params = { section: 'chat-shop' };
  await shop.steadily(() => required(call(shop.port, settingsHttp.change, { ...owner, params, body })));
};

/**
 * Simulated games, each with one product: one of each kind, and a second Minecraft. Both Minecrafts hide private messages from a
 * player who has switched them off; the second one reports that.
 */
export const openMarket = async (market: Market, owned: AsyncDisposableStack) => {
  const plugins = 'reached';
  const minecraft = owned.use(await startMinecraft({ quirks: { plugins, swallowsMessages: true } }));
  const second = owned.use(await startMinecraft({ quirks: { plugins } }));
  const ark = owned.use(await startArk());
  const sevenDays = owned.use(await startSevenDays());
  // Answers come with a varying delay.
  for (const { quirks } of [minecraft, second, ark, sevenDays])
    quirks.replyDelayMs = Math.floor(market.random() * 5);
  return {
    shops: [
      await openStall(market, minecraft, ofMinecraft(minecraft)),
      await openStall(market, ark, ofArk(ark)),
      await openStall(market, sevenDays, ofSevenDays(sevenDays)),
    ],
    second: await openStall(market, second, ofMinecraft(second)),
  };
};

const timesOf = (fate: Fate): number => ({ lost: 0, heard: 1, repeated: 3 })[fate];

/** Reports like an agent that reads the game's log: a repeated report has the same key. */
const readByAgent =
  ({ game, world, log }: Simulated) =>
  (market: Market, serverId: string): Ways['say'] => {
    let read = 0;
    return (name, text, fate) => {
      world.chat(name, text);
      const from = read;
      const lines = log.lines.slice(from);
      read = log.lines.length;
      for (const [index, line] of lines.entries()) {
        const seen = gameOf(game).readLogLine(line);
        if (seen?.kind !== 'chat') continue;
        const event = { ...seen, at: new Date(), key: `${serverId}:${from + index}` };
        for (let told = 0; told < timesOf(fate); told += 1) market.shop.tell(serverId, event);
      }
    };
  };

type WaysOf = (market: Market, serverId: string) => Ways;

const ofMinecraft =
  (simulator: MinecraftSimulator): WaysOf =>
  (market, serverId) => ({
    isProven: false,
    say: readByAgent(simulator)(market, serverId),
    deafen(name, isDeaf) {
      if (isDeaf) simulator.quirks.deafPlayers.add(name);
      else simulator.quirks.deafPlayers.delete(name);
    },
  });

/** ARK does not report an undelivered message: it drops the command. */
const ofArk =
  (simulator: ArkSimulator): WaysOf =>
  (market, serverId) => ({
    isProven: false,
    say: readByAgent(simulator)(market, serverId),
    deafen(_, isDeaf) {
      simulator.quirks.fateOf = (command) =>
        isDeaf && command.startsWith('ServerChatTo') ? 'ignore' : 'answer';
    },
  });

/** The console of 7 Days to Die prints the chat as long as the API listens. */
const ofSevenDays =
  ({ world, quirks }: SevenDaysSimulator): WaysOf =>
  () => {
    let fate: Fate = 'heard';
    quirks.timesSent = (line) => (line.includes("to 'Global'") ? timesOf(fate) : 1);
    return {
      isProven: true,
      say(name, text, wanted) {
        fate = wanted;
        world.chat(name, text);
        fate = 'heard';
      },
      deafen(_, isDeaf) {
        quirks.hasPrivateMessages = !isDeaf;
      },
    };
  };

const openStall = async (market: Market, simulator: Simulated, ways: WaysOf): Promise<Stall> => {
  const { shop, pool } = market;
  const { game, world, quirks, password } = simulator;
  const draftOf = (serverId: string) =>
    productDraft.parse({
      name: 'Stone',
      price: 10,
      game,
      serverIds: [serverId],
      lines: [
        {
          kind: 'command',
          command: `say ${products[game as keyof typeof products].length} {quantity}`,
          needsPlayer: false,
        },
      ],
      isEnabled: true,
    });
  const { serverId, product } = await shop.steadily(async () => {
    const address = { host: '127.0.0.1', port: simulator.port, password };
    const made = await newServer(shop.port, { name: `${game} ${simulator.port}`, game, ...address });
    await trustChat(shop.port, made);
    const created = call(shop.port, storeHttp.create, { ...owner, body: draftOf(made) });
    return { serverId: made, product: (await required(created)) as unknown as Product };
  });
  const members = new Map<string, string>();
  let { version } = product;
  let repriced: Promise<void> = Promise.resolve();
  return {
    game,
    serverId,
    world,
    product,
    members,
    ...ways(market, serverId),
    whispers: (name) => world.messages.filter(({ to }) => to === name).map(({ text }) => text),
    // One after another: each change starts from the version that the previous one has left.
    reprice(price) {
      repriced = repriced.then(() =>
        shop.steadily(async () => {
          const body = { ...draftOf(serverId), price, version };
          const params = { id: product.id };
          const changed = await required(call(shop.port, storeHttp.change, { ...owner, params, body }));
          version = Number(changed.version);
        }),
      );
      return repriced;
    },
    slowDown() {
      quirks.replyDelayMs = slowMs;
      quirks.fateOf = (command) => (isWhisper.test(command) && market.random() < 0.5 ? 'silence' : 'answer');
    },
    async gather(names) {
      for (const name of names) world.join(name);
      await eventually(async () => {
        const { rows } = await pool.query<{ name: string; member_id: string }>(
          `select player.name, player.member_id from player_sessions as stay
           join players as player on player.id = stay.player_id where stay.server_id = $1 and stay.left_at is null`,
          [serverId],
        );
        for (const { name, member_id } of rows) members.set(name, member_id);
        const missing = names.filter((name) => !members.has(name));
        if (missing.length > 0) throw new Error(`not seen yet: ${missing.join(', ')}`);
      }, connectMs);
      // They have been there for days.
      await pool.query(
        `update player_sessions set recorded_at = now() - interval '2 days' where server_id = $1`,
        [serverId],
      );
    },
  };
};
