import { afterAll, beforeAll, expect, test } from 'vitest';
import { byOwner, granted } from '../orders/testing/store-of-a-test.ts';
import { type SeasonsOfATest, seasonsOfATest } from './testing/seasons-of-a-test.ts';

let bench: SeasonsOfATest;
beforeAll(async () => {
  bench = await seasonsOfATest();
});
afterAll(() => bench[Symbol.asyncDispose]());

const regrant = { onWipe: 'regrant' } as const;
const orderOfSeason = async (seasonId: string, memberId: string): Promise<string> => {
  const [step] = await bench.store.query<{ order_id: string }>(
    'select order_id from season_steps where season_id = $1 and member_id = $2 and order_id is not null',
    [seasonId, memberId],
  );
  if (!step) throw new Error('the season has ordered nothing for this member');
  return step.order_id;
};

// Guarantee: a purchase refunded after one season is not given again by the next, whatever the earlier one gave for it;
// other purchases are.
test('a refund between two seasons', async () => {
  const { store } = bench;
  const ann = await store.newMember(1000);
  const { id: productId } = await store.newProduct(regrant);
  const refunded = await bench.has(ann, productId, 2);
  await bench.has(ann, productId, 1);
  const first = await bench.run();
  expect(await bench.regranted(first)).toMatchObject({ [ann]: 3 });
  await bench.deliver(await orderOfSeason(first, ann));

  granted(await store.orders.refund(refunded, null, byOwner));
  const second = await bench.run();
  expect(await bench.regranted(second)).toMatchObject({ [ann]: 1 });
});

// Guarantee: a season gives no Discord role, because a wipe takes none; a product that also has items is undone while those are open.
test('a product with a role', async () => {
  const { store } = bench;
  const ann = await store.newMember(1000);
  const { id: productId } = await store.newProduct({
    ...regrant,
    lines: [
      { kind: 'role', roleId: '41771983423143937', roleName: 'Kept' },
      { kind: 'item', item: 'minecraft:diamond', quantity: 3 },
    ],
  });
  await bench.has(ann, productId, 2);
  const id = await bench.run();
  const deliveries = await store.query<{ kind: string; quantity: number }>(
    `select line ->> 'kind' as kind, (line ->> 'quantity')::int as quantity from deliveries where order_id = $1`,
    [await orderOfSeason(id, ann)],
  );
  expect(deliveries).toEqual([{ kind: 'item', quantity: 6 }]);
  granted(await bench.seasons.undo(id, byOwner));
});

// Guarantee: what a season gives waits for its player indefinitely: it cost no points that an expiry could return.
test('a player who stays away', async () => {
  const { store } = bench;
  const ann = await store.newMember(1000);
  const { id: productId } = await store.newProduct(regrant);
  const bought = await bench.has(ann, productId, 1);
  const id = await bench.run();
  const expiryOf = (orderId: string) =>
    store.query('select expires_at is null as never from deliveries where order_id = $1', [orderId]);
  expect(await expiryOf(await orderOfSeason(id, ann))).toEqual([{ never: true }]);
  expect(await expiryOf(bought)).toEqual([{ never: false }]);
});
