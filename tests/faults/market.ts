import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { type DeskDecision, deliveriesHttp } from '#contracts/store/deliveries.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { eventually } from '#harness/eventually.ts';
import type { CrowdPlayer } from './crowd.ts';
import type { PlannedOrder, Purchase } from './customers.ts';
import type { FaultGame } from './fault-game.ts';
import type { FaultStack } from './fault-stack.ts';

/** The products of one game, and its share of all sales. */
interface Stall {
  readonly game: GameId;
  readonly share: number;
  readonly players: number;
  readonly items: readonly string[];
}

/** Most sales are in the game that keeps a record, fewest in the one whose answers prove nothing. */
export const stalls: readonly Stall[] = [
  {
    game: 'minecraft',
    share: 0.65,
    players: 24,
    items: ['diamond', 'emerald', 'bread', 'torch', 'arrow', 'stone', 'oak_log'].map(
      (item) => `minecraft:${item}`,
    ),
  },
  {
    game: 'seven-days-to-die',
    share: 0.25,
    players: 12,
    items: ['casinoCoin', 'drinkJarBoiledWater', 'foodCanBeef', 'resourceForgedIron', 'resourceWood'],
  },
  { game: 'ark-asa', share: 0.1, players: 16, items: ['1', '2', '3', '4', '5'] },
];

/** The largest quantity that is a single command in every game. */
const mostPieces = 60;
/** What the owner has decided in advance about deliveries whose end is unknown: of the first product nothing, and so on. */
const standingRules: readonly (DeskDecision | null)[] = [null, 'refund', 'send-again'];
const price = 3;
const plenty = 100_000_000;
const playersDeadlineMs = 120_000;

export const playersOf = ({ game, players }: Stall): CrowdPlayer[] =>
  Array.from({ length: players }, (_, index) => ({
    name: `${game.replace(/\W.*/, '')}${index + 1}`,
    numericId: 200_000_001 + index,
  }));

export const enterServer = async (
  { call }: Pick<FaultStack, 'call'>,
  clusterId: string,
  { name, game, port, password }: FaultGame,
  hasAgent: boolean,
): Promise<string> => {
  const reach = hasAgent ? { port } : { host: '127.0.0.1', port, password };
  return (await call(gameServersHttp.create, { body: { clusterId, name, game, ...reach } })).id;
};

export const makeCluster = async ({ call }: Pick<FaultStack, 'call'>): Promise<string> =>
  (await call(clustersHttp.create, { body: { name: 'Faults', description: '' } })).id;

export const makeApiKey = async ({ call }: Pick<FaultStack, 'call'>): Promise<string> => {
  const body = { name: 'Shop', permissions: ['orders.read', 'orders.write'], expiresInDays: 1 };
  return (await call(apiKeysHttp.create, { body })).key;
};

type Product = Omit<Purchase, 'quantity'>;

/** Products that anyone may buy. ARK sells only products that a person has confirmed to arrive. */
const makeProducts = async (
  { call, query }: Pick<FaultStack, 'call' | 'query'>,
  { game, items }: Stall,
  hasRules: boolean,
): Promise<readonly Product[]> => {
  if (game === 'ark-asa')
    await query(
      `insert into item_confirmations (game, item, actor, delivery_id)
       select $1, item, 'faults', gen_random_uuid() from unnest($2::text[]) as item`,
      [game, items],
    );
  const products: Product[] = [];
  for (const [index, item] of items.entries()) {
    const lines = [{ kind: 'item', item, quantity: 1 }];
    const body = { name: `${game} ${item}`, price, game, lines, isEnabled: true };
    const productId = (await call(storeHttp.create, { body })).id;
    const rule = hasRules ? (standingRules[index % standingRules.length] ?? null) : null;
    if (rule !== null)
      await call(deliveriesHttp.setRule, { body: { serverId: null, productId, decision: rule } });
    products.push({ item, productId, rule });
  }
  return products;
};

/** All players of a game, once they have been seen online, with points to spend. @returns their names */
const makeCustomers = async (
  { call, query }: Pick<FaultStack, 'call' | 'query'>,
  stall: Stall,
  serverIds: readonly string[],
): Promise<readonly string[]> => {
  const players = playersOf(stall);
  const seen = await eventually(async () => {
    const rows = await query<{ id: string; name: string; member_id: string }>(
      'select id, name, member_id from players where game = $1',
      [stall.game],
    );
    if (rows.length < players.length) throw new Error(`${stall.game}: ${rows.length} players were seen`);
    return rows;
  }, playersDeadlineMs);
  for (const { id, name, member_id } of seen) {
    await call(membersHttp.grant, { params: { id: member_id }, body: { kind: 'grant', points: plenty } });
    const number = String(players.find((player) => player.name === name)?.numericId);
    if (stall.game === 'ark-asa')
      for (const serverId of serverIds)
        await call(deliveriesHttp.setSurvivorNumber, { params: { id }, body: { serverId, number } });
  }
  return seen.map(({ name }) => name);
};

/** One member may have two players of a game if they buy in quantities that the other one never buys. */
export const canShareMember = (one: string, other: string): boolean => suitOf(one) !== suitOf(other);
const suitOf = (player: string): number => Number(/\d+$/.exec(player)?.[0]) % 2;

/**
 * Opens the store for a game. @returns all of its orders; no two of their deliveries look alike in the game, even if their players
 * become one member
 */
export const openStall = async (
  stack: Pick<FaultStack, 'call' | 'query'>,
  stall: Stall,
  options: {
    readonly serverIds: readonly string[];
    readonly deliveries: number;
    readonly hasRules: boolean;
    readonly random: () => number;
  },
): Promise<readonly PlannedOrder[]> => {
  const products = await makeProducts(stack, stall, options.hasRules);
  const customers = await makeCustomers(stack, stall, options.serverIds);
  if (options.deliveries > customers.length * products.length * (mostPieces / 2))
    throw new Error(`${stall.game}: ${options.deliveries} deliveries could not be told apart`);
  const bought = new Map<string, number>();
  const nextOf = (customer: string): Purchase => {
    const number = bought.get(customer) ?? 0;
    bought.set(customer, number + 1);
    const product = products[number % products.length];
    if (!product) throw new Error(`${stall.game}: there is no product`);
    return { ...product, quantity: 1 + 2 * Math.floor(number / products.length) + suitOf(customer) };
  };
  const orders: PlannedOrder[] = [];
  for (let left = options.deliveries; left > 0; ) {
    const customer = customers[orders.length % customers.length];
    if (customer === undefined) throw new Error('there is no customer');
    const count = Math.min(left, options.random() < 0.3 ? 2 : 1);
    orders.push({
      game: stall.game,
      player: customer,
      purchases: Array.from({ length: count }, () => nextOf(customer)),
    });
    left -= count;
  }
  return orders;
};
