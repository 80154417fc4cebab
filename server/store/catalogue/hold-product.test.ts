import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  byOwner,
  draftOf,
  granted,
  type StoreOfATest,
  storeOfATest,
} from '../orders/testing/store-of-a-test.ts';
import { holdProduct } from './hold-product.ts';

let store: StoreOfATest;
beforeAll(async () => {
  store = await storeOfATest();
});
afterAll(() => store[Symbol.asyncDispose]());

const item = (id: string) => ({ kind: 'item' as const, item: id, quantity: 1 });
const part = (productId: string) => ({ kind: 'product' as const, productId, quantity: 1 });
const reasonsOf = async (...ids: string[]) =>
  Promise.all(ids.map(async (id) => granted(await store.catalogue.read(id)).heldReason));

// Guarantee: an item of a bundle that a game refuses stops every product that gives it too, by itself and in every
// bundle, and nothing else; a product that was fixed, or taken out of the bundle, since the order is not sold with the
// fault again.
test('a part of a bundle that cannot be given', async () => {
  const sword = await store.newProduct({ lines: [item('minecraft:diamond'), item('mod:sword')] });
  const shield = await store.newProduct({ lines: [item('mod:shield')] });
  const mended = await store.newProduct({ lines: [item('mod:sword')] });
  const alone = await store.newProduct({ lines: [item('mod:sword')] });
  const bundle = await store.newProduct({ lines: [part(sword.id), part(shield.id), part(mended.id)] });
  const other = await store.newProduct({ lines: [part(sword.id)] });
  const change = async (id: string, lines: Parameters<typeof draftOf>[0]) =>
    granted(await store.catalogue.change(id, { ...draftOf(lines), version: 1 }, byOwner));
  await change(mended.id, { lines: [item('mod:sword_2')] });
  await change(bundle.id, { lines: [part(shield.id)] });

  const refused = { productId: bundle.id, version: 1, item: 'mod:sword' };
  await holdProduct(store.database.db, refused, 'no such item', new Date());
  expect(await reasonsOf(bundle.id, sword.id)).toEqual(['no such item', 'no such item']);
  expect(await reasonsOf(shield.id, mended.id, alone.id, other.id)).toEqual([null, null, null, null]);
  expect(granted(await store.catalogue.read(other.id)).notForSale).toContain('no such item');
});
