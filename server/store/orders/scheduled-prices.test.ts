import { afterAll, beforeAll, expect, test } from 'vitest';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { readForSale } from '../sold-products.ts';
import {
  byOwner,
  draftOf,
  granted,
  orderOf,
  type StoreOfATest,
  storeOfATest,
} from './testing/store-of-a-test.ts';

let store: StoreOfATest;
beforeAll(async () => {
  store = await storeOfATest();
});
afterAll(() => store[Symbol.asyncDispose]());

const hourMs = 3_600_000;
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();

// Guarantee: the store shows and an order costs the current price; an order that was previewed before the price changed is
// refused and charges nothing.
test('a price that changes between preview and order', async () => {
  const member = await store.newMember(100);
  const until = fromNow(hourMs);
  const product = await store.newProduct({
    price: 10,
    priceSchedule: [{ from: fromNow(-hourMs), until, price: 4 }],
  });
  expect(product).toMatchObject({ price: 10, currentPrice: 4, priceUntil: until });
  const [shown] = await readForSale(store.context, { id: product.id });
  expect(shown).toMatchObject({ currentPrice: 4 });
  const request = orderOf({ memberId: member, lines: [{ productId: product.id, quantity: 3 }] });
  const preview = granted(await store.orders.preview(request, testOwner));
  expect(preview).toMatchObject({
    total: 12,
    discount: null,
    refusals: [],
    lines: [{ productId: product.id, quantity: 3, basePrice: 10, price: 4, priceUntil: until, unitPrice: 4 }],
  });

  store.advance(2 * hourMs);
  const expected = { ...request, expectedTotal: preview.total };
  expect(await store.orders.place(expected, null, byOwner)).toMatchObject({
    refused: 'PRICE_CHANGED',
    detail: 'The order now costs 30 points.',
  });
  expect(await store.balance(member)).toBe(100);
  expect(granted(await store.catalogue.read(product.id))).toMatchObject({
    currentPrice: 10,
    priceUntil: null,
  });
  expect(granted(await store.orders.place({ ...expected, expectedTotal: 30 }, null, byOwner)).total).toBe(30);
  store.advance(-2 * hourMs);
});

// Guarantee: a schedule belongs to a version, like limits: changing something else keeps it, and an impossible one is refused.
test('a schedule is saved with its product', async () => {
  const priceSchedule = [
    { from: '2030-01-02T00:00:00.000Z', until: null, price: 2 },
    { from: '2030-01-01T00:00:00.000Z', until: '2030-01-02T00:00:00.000Z', price: 1 },
  ];
  const product = await store.newProduct({ priceSchedule });
  const archive = { version: product.version, archived: true };
  expect(granted(await store.catalogue.archive(product.id, archive, byOwner))).toMatchObject({
    priceSchedule,
  });
  const overlapping = [...priceSchedule, { from: '2029-12-31T00:00:00.000Z', until: null, price: 3 }];
  expect(await store.catalogue.create(draftOf({ priceSchedule: overlapping }), byOwner)).toMatchObject({
    refused: 'PRODUCT_INVALID',
    detail: 'Prices 2 and 3 of the schedule overlap.',
  });
});
