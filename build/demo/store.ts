import { setTimeout as delay } from 'node:timers/promises';
import { membersHttp } from '#contracts/people/members.ts';
import { playersHttp } from '#contracts/people/players.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import type { ProductDraft } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { StartupError } from '#runtime/program.ts';
import { type ApiCaller, signInToApi } from './api-caller.ts';
import type { DemoGameServer } from './games.ts';
import type { DemoStack } from './stack.ts';

/** What the ready line says about the store. */
interface DemoStore {
  readonly productId: string;
  /** A member who has points, and whose order has arrived. */
  readonly memberId: string;
}

type Product = Pick<ProductDraft, 'name' | 'description' | 'category' | 'price' | 'game' | 'lines'>;

/** The demo's member buys the first one. ARK has no product, since its deliveries count as arrived only when a person saw them. */
const catalogue: readonly Product[] = [
  {
    name: 'Starter kit',
    description: 'Bread, torches and a few ingots for the first night.',
    category: 'Kits',
    price: 250,
    game: 'minecraft',
    lines: [
      { kind: 'item', item: 'minecraft:bread', quantity: 16 },
      { kind: 'item', item: 'minecraft:torch', quantity: 32 },
      { kind: 'item', item: 'minecraft:iron_ingot', quantity: 12 },
    ],
  },
  {
    name: 'Diamonds',
    description: '',
    category: 'Materials',
    price: 100,
    game: 'minecraft',
    lines: [{ kind: 'item', item: 'minecraft:diamond', quantity: 4 }],
  },
  {
    name: 'First aid',
    description: 'Bandages, and something to drink.',
    category: 'Kits',
    price: 150,
    game: 'seven-days-to-die',
    lines: [
      { kind: 'item', item: 'medicalFirstAidBandage', quantity: 5 },
      { kind: 'item', item: 'drinkJarBoiledWater', quantity: 3 },
    ],
  },
];
const points = 1000;

/** Creates a catalogue, a member with points, and an arrived order of theirs; kept for the next start in the same data folder. */
export const openDemoStore = async ({
  stack,
  servers,
  stopping,
}: {
  readonly stack: Pick<DemoStack, 'apiUrl' | 'admin'>;
  readonly servers: readonly DemoGameServer[];
  readonly stopping?: AbortSignal | undefined;
}): Promise<DemoStore> => {
  const api = await signInToApi(stack);
  const { rows: known } = await api.call(storeHttp.products);
  const ids: string[] = [];
  for (const product of catalogue)
    ids.push(
      known.find(({ name }) => name === product.name)?.id ??
        (await api.call(storeHttp.create, { ...product, isEnabled: true })).id,
    );
  const [productId = ''] = ids;
  const { rows: orders } = await api.call(ordersHttp.list);
  const earlier = orders.find(({ progress }) => progress === 'done');
  if (earlier) return { productId, memberId: earlier.receiverId };
  const server = servers.find(({ game }) => game === catalogue[0]?.game);
  if (!server) throw new StartupError('The demo has no server for what it sells.');
  return { productId, memberId: await sell(api, server, productId, stopping) };
};

const deadlineMs = 90_000;
const pollMs = 200;
const patienceMs = 15_000;

/** Players come and go: if a buyer left before everything arrived, the next one buys, too. @returns the member who has it */
const sell = async (
  api: ApiCaller,
  server: DemoGameServer,
  productId: string,
  stopping: AbortSignal | undefined,
): Promise<string> => {
  const orders = new Map<string, { readonly orderId: string; readonly placedMs: number }>();
  const until = performance.now() + deadlineMs;
  while (performance.now() < until) {
    stopping?.throwIfAborted();
    for (const [memberId, { orderId }] of orders)
      if ((await api.callWith(ordersHttp.read, { id: orderId })).progress === 'done') return memberId;
    const lastMs = [...orders.values()].at(-1)?.placedMs ?? Number.NEGATIVE_INFINITY;
    const memberId = performance.now() - lastMs > patienceMs ? await memberOn(api, server, orders) : null;
    if (memberId !== null) {
      await api.callWith(membersHttp.grant, { id: memberId }, { kind: 'grant', points, note: 'Welcome' });
      const lines = [{ productId, quantity: 1 }];
      const { id } = await api.call(ordersHttp.place, { memberId, lines });
      orders.set(memberId, { orderId: id, placedMs: performance.now() });
    }
    await delay(pollMs);
  }
  throw new StartupError(`Waited ${deadlineMs / 1000} s in vain until an order of the demo's store arrived.`);
};

/** The member of a player who is online and has bought nothing yet. */
const memberOn = async (
  api: ApiCaller,
  server: DemoGameServer,
  buyers: ReadonlyMap<string, unknown>,
): Promise<string | null> => {
  const { rows } = await api.call(playersHttp.online);
  for (const { playerId } of rows.find(({ serverId }) => serverId === server.id)?.players ?? []) {
    const { id } = await api.callWith(membersHttp.ofPlayer, { id: playerId });
    if (!buyers.has(id)) return id;
  }
  return null;
};
