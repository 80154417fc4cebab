import { membersHttp } from '#contracts/people/members.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { eventually } from '#harness/eventually.ts';
import type { Panel } from '#harness/panel.ts';

/** A waiting delivery, a delivered one, and one with an unknown outcome, whose player was gone at the check. */
export const enlivenStore = async ({ call }: Pick<Panel, 'call'>): Promise<void> => {
  const there = await eventually(async () => {
    const { rows } = await call(membersHttp.search, { query: {} });
    const found = rows.filter(({ players }) => players.some(({ game }) => game === 'minecraft'));
    if (found.length < 2) throw new Error('no players of Minecraft yet');
    return found;
  }, deadlineMs);
  const products = [
    await call(storeHttp.create, {
      body: {
        name: 'Server hop',
        category: 'Extras',
        game: 'minecraft',
        price: 25,
        isEnabled: true,
        lines: [{ kind: 'command', command: 'kick {player} See you on the other server', needsPlayer: true }],
      },
    }),
    await call(storeHttp.create, {
      body: {
        name: 'Builder’s crate',
        category: 'Items',
        game: 'minecraft',
        price: 120,
        stock: 40,
        isEnabled: true,
        lines: [
          { kind: 'item', item: 'minecraft:bread', quantity: 16 },
          { kind: 'item', item: 'minecraft:diamond', quantity: 3 },
        ],
      },
    }),
  ];
  for (const { id } of there.slice(0, 2)) {
    await call(membersHttp.grant, {
      params: { id },
      body: { kind: 'grant', points: 500, note: 'Won the building contest' },
    });
    for (const { id: productId } of products.toReversed())
      await call(ordersHttp.place, { body: { memberId: id, lines: [{ productId, quantity: 1 }] } });
  }
  await eventually(async () => {
    const { rows } = await call(deliveriesHttp.desk, { query: {} });
    if (rows.length === 0) throw new Error('nothing at the desk yet');
  }, deadlineMs);
};

const deadlineMs = 120_000;
