import { afterAll, beforeAll, expect, test } from 'vitest';
import { byOwner, granted, type StoreOfATest, storeOfATest } from '../orders/testing/store-of-a-test.ts';
import { readItemFacts } from './items.ts';

let store: StoreOfATest;
beforeAll(async () => {
  store = await storeOfATest();
});
afterAll(() => store[Symbol.asyncDispose]());

// Guarantee: the audit log names an own item's previous name, and whether it had been seen.
test('the audit rows of own items', async () => {
  const { items } = store.catalogue;
  const game = 'ark-se';
  const id = "Blueprint'/Game/Mods/Cake/PrimalItem_Cake.PrimalItem_Cake'";
  granted(await items.add({ game, id, name: 'Cake' }, byOwner));
  granted(await items.add({ game, id, name: 'Birthday cake' }, byOwner));
  const product = await store.newProduct({ game, lines: [{ kind: 'item', item: id, quantity: 1 }] });
  const order = granted(
    await store.orders.place(
      {
        memberId: await store.newMember(0, game),
        lines: [{ productId: product.id, quantity: 1 }],
        isTest: true,
      },
      null,
      byOwner,
    ),
  );
  const [deliveryId = ''] = order.deliveries.map((delivery) => delivery.id);
  await store.setState([deliveryId], 'delivered');
  granted(await items.confirm({ deliveryId, isSeen: true }, byOwner));
  granted(await items.confirm({ deliveryId, isSeen: false }, byOwner));
  granted(await items.remove({ game, id }, byOwner));
  const audited = await store.query(
    'select action, before, after from audit_logs where target = $1 order by id',
    [`item:${game}:${id}`],
  );
  const called = (name: string) => ({ game, id, name });
  expect(audited).toEqual([
    { action: 'store-items.add', before: null, after: called('Cake') },
    { action: 'store-items.add', before: called('Cake'), after: called('Birthday cake') },
    { action: 'store-items.confirm', before: { isSeen: false }, after: { deliveryId, isSeen: true } },
    { action: 'store-items.confirm', before: { isSeen: true }, after: { deliveryId, isSeen: false } },
    { action: 'store-items.remove', before: called('Birthday cake'), after: null },
  ]);
});

// Guarantee: more items than one statement takes values are still looked up.
test('seventy thousand lines', async () => {
  const { items } = store.catalogue;
  const lines = Array.from({ length: 70_000 }, (_, index) => ({
    kind: 'item' as const,
    item: `mod:item_${index}`,
    quantity: 1,
  }));
  granted(await items.add({ game: 'minecraft', id: 'mod:item_69999', name: 'The last' }, byOwner));
  const facts = await readItemFacts(store.database.db, [{ game: 'minecraft', lines }]);
  expect([facts.isOwn('minecraft', 'mod:item_0'), facts.isOwn('minecraft', 'mod:item_69999')]).toEqual([
    false,
    true,
  ]);
});
