import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal, refuse } from '../../kernel/http/refusal.ts';
import { byOwner, granted, orderOf, type StoreOfATest, storeOfATest } from './testing/store-of-a-test.ts';

let store: StoreOfATest;
beforeAll(async () => {
  store = await storeOfATest();
});
afterAll(() => store[Symbol.asyncDispose]());

const fromShop = { source: 'shop', isPaidOutside: true, ignoresLimits: true } as const;
const stockOf = async (productId: string) =>
  (await store.query<{ stock: number | null }>('select stock from products where id = $1', [productId]))[0]
    ?.stock;
const orderCount = async () =>
  Number((await store.query<{ count: string }>('select count(*) from orders'))[0]?.count);

// Guarantee: what was paid outside is given whatever the product's limits and stock say, moves no points, and reports how
// many pieces the stock lacked; its refund returns only the pieces that it took.
test('an order that was paid outside', async () => {
  const memberId = await store.newMember(5);
  const { id: productId } = await store.newProduct({
    price: 10,
    stock: 2,
    isEnabled: false,
    limits: { perMember: 1, saleUntil: '2020-01-01T00:00:00Z' },
  });
  const request = orderOf({ memberId, lines: [{ productId, quantity: 5 }] });
  const refused = await store.orders.place(request, null, byOwner);
  expect(isRefusal(refused) && refused.refused).toBe('PRODUCT_NOT_FOR_SALE');

  const order = granted(await store.orders.place(request, 'shop:1', byOwner, fromShop));
  expect(order).toMatchObject({
    source: 'shop',
    total: 0,
    lines: [{ quantity: 5, unitPrice: 0, oversold: 3 }],
  });
  expect(order.deliveries.map(({ points }) => points)).toEqual(order.deliveries.map(() => 0));
  expect([await store.balance(memberId), await stockOf(productId)]).toEqual([5, 0]);
  expect(granted(await store.orders.place(request, 'shop:1', byOwner, fromShop)).id).toBe(order.id);

  granted(await store.orders.refund(order.id, null, byOwner));
  expect([await store.balance(memberId), await stockOf(productId)]).toEqual([5, 2]);
  await store.query('select castellan_reopen_order_line($1)', [order.lines[0]?.id]);
  expect(await stockOf(productId)).toBe(0);
});

// Guarantee: what can never be given is refused even when it was paid outside, and leaves nothing behind.
test('a product that can never be given', async () => {
  const memberId = await store.newMember(0);
  const { id: productId } = await store.newProduct();
  granted(await store.catalogue.archive(productId, { version: 1, archived: true }, byOwner));
  const before = await orderCount();
  const request = orderOf({ memberId, lines: [{ productId }] });
  const outcome = await store.orders.place(request, 'shop:2', byOwner, fromShop);
  expect(isRefusal(outcome) && outcome.refused).toBe('PRODUCT_NOT_FOR_SALE');
  expect(await orderCount()).toBe(before);
});

// Guarantee: work alongside an order happens exactly when the order is placed, once for each key.
test('work alongside an order', async () => {
  await store.query('create table spent (order_id text)');
  const memberId = await store.newMember(10);
  const { id: productId } = await store.newProduct({ price: 10 });
  const request = orderOf({ memberId, lines: [{ productId }] });
  let runs = 0;
  const alongside: NonNullable<Parameters<typeof store.orders.place>[3]>['alongside'] = async (
    trx,
    orderId,
  ) => {
    runs += 1;
    await trx
      .insertInto('spent' as never)
      .values({ order_id: orderId } as never)
      .execute();
    return null;
  };
  const spent = async () =>
    (await store.query<{ order_id: string }>('select * from spent')).map((row) => row.order_id);

  const objecting = async () => refuse('CONFLICT');
  const objected = await store.orders.place(request, 'k', byOwner, { alongside: objecting });
  expect(isRefusal(objected) && objected.refused).toBe('CONFLICT');
  const poor = orderOf({ memberId: await store.newMember(9), lines: [{ productId }] });
  expect(isRefusal(await store.orders.place(poor, 'p', byOwner, { alongside }))).toBe(true);
  expect(await spent()).toEqual([]);

  const both = await Promise.all([1, 2].map(() => store.orders.place(request, 'k', byOwner, { alongside })));
  const [first, second] = both.map(granted);
  expect(second?.id).toBe(first?.id);
  expect(await spent()).toEqual([first?.id]);
  expect(runs).toBe(2);
  expect(await store.balance(memberId)).toBe(0);
});
