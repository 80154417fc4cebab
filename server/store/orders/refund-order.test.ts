import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../kernel/http/refusal.ts';
import {
  byOwner,
  deliveryIds,
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

/** An order of 30 points in three deliveries. */
const placeThree = async (points = 100) => {
  const member = await store.newMember(points);
  const product = await store.newProduct({
    price: 10,
    stock: 10,
    lines: [{ kind: 'command', command: 'say {player}', counterCommand: 'unsay {player}' }],
  });
  const lines = [{ productId: product.id, quantity: 3 }];
  const order = granted(await store.orders.place(orderOf({ memberId: member, lines }), null, byOwner));
  return { member, product, order, ids: deliveryIds(order) };
};
const stockOf = async (id: string) =>
  (await store.query<{ stock: number }>('select stock from products where id = $1', [id]))[0]?.stock;

// Guarantee: what waits is cancelled, what was given or may have been given is paid back, each once; the game is asked first.
test('an order in all states is refunded once', async () => {
  const { member, product, order, ids } = await placeThree();
  const [, given = '', unsure = ''] = ids;
  await store.setState([given], 'delivered');
  await store.sent([given]);
  await store.setState([unsure], 'unknown');
  await store.query(`update deliveries set desk_reason = 'unknown', desk_at = now() where id = $1`, [unsure]);
  expect(granted(await store.orders.read(order.id)).progress).toBe('attention');
  const refunded = granted(await store.orders.refund(order.id, null, byOwner));
  expect(refunded).toMatchObject({ refunded: 30, progress: 'undone' });
  expect(refunded.deliveries.map(({ state }) => state)).toEqual(['cancelled', 'delivered', 'cancelled']);
  expect(await store.balance(member)).toBe(100);
  expect(store.asked.withdrawn).toEqual([unsure]);
  expect(await store.countered(order.id)).toEqual([given]);
  // Part of it may have arrived.
  expect(await stockOf(product.id)).toBe(7);
  granted(await store.orders.refund(order.id, null, byOwner));
  expect(await store.balance(member)).toBe(100);
});

// Guarantee: work alongside a refund is in its transaction: all of it happens with the refund, and when it fails nothing is refunded.
test('work alongside a refund', async () => {
  const { member, order } = await placeThree();
  const failing = store.orders.takeBack(order.id, null, byOwner, async (trx) => {
    await sql`select 1`.execute(trx);
    throw new Error('not recorded');
  });
  await expect(failing).rejects.toThrow('not recorded');
  expect(await store.balance(member)).toBe(70);
  let isWhole = false;
  const { tried } = granted(
    await store.orders.takeBack(order.id, null, byOwner, async (trx) => {
      for (let step = 0; step < 5; step += 1) await sql`select 1`.execute(trx);
      isWhole = true;
    }),
  );
  expect([isWhole, await store.balance(member)]).toEqual([true, 100]);
  await tried;
});

// Guarantee: concurrent refunds return what was paid, once.
test('two admins refund at once', async () => {
  const { member, product, order } = await placeThree();
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => store.orders.refund(order.id, null, byOwner)),
  );
  expect(answers.filter(isRefusal)).toEqual([]);
  expect(await store.balance(member)).toBe(100);
  expect(await stockOf(product.id)).toBe(10);
  expect(
    await store.query(`select count(*) from ledger where order_id = $1 and kind = 'refund'`, [order.id]),
  ).toEqual([{ count: '3' }]);
});

// Guarantee: nothing is refunded while a part is being sent, not even the rest.
test('a delivery that is being sent', async () => {
  const { member, order, ids } = await placeThree();
  await store.setState(ids.slice(0, 1), 'sending');
  expect(await store.orders.refund(order.id, null, byOwner)).toMatchObject({ refused: 'DELIVERY_STATE' });
  expect(await store.balance(member)).toBe(70);
  await store.setState(ids.slice(0, 1), 'waiting');
  await store.query(
    `insert into delivery_attempts (delivery_id, number, command_id, server_id, way, command)
     values ($1::uuid, 1, $1::text || '.1', 'mc', 'direct', 'say')`,
    ids.slice(0, 1),
  );
  expect(await store.orders.refund(order.id, null, byOwner)).toMatchObject({ refused: 'DELIVERY_STATE' });
  expect(await store.balance(member)).toBe(70);
});

// Guarantee: what may have been sent to a game that keeps a record is not refunded before the game was asked.
test('a game that cannot be asked', async () => {
  const answers: ('away' | 'arrived')[] = ['away', 'arrived'];
  await using other = await storeOfATest({
    withdraw: async (ids) => new Map(ids.map((id) => [id, answers[0] ?? 'away'])),
  });
  const member = await other.newMember(10);
  const { id: productId } = await other.newProduct();
  const request = orderOf({ memberId: member, lines: [{ productId }] });
  const order = granted(await other.orders.place(request, null, byOwner));
  await other.setState(deliveryIds(order), 'unknown');
  expect(await other.orders.refund(order.id, null, byOwner)).toMatchObject({ refused: 'DELIVERY_STATE' });
  expect(await other.balance(member)).toBe(0);
  answers.shift();
  expect(granted(await other.orders.refund(order.id, null, byOwner)).refunded).toBe(10);
  expect(await other.balance(member)).toBe(10);
});

// Guarantee: what may have arrived does not go back into the stock; what the game withdrew does.
test.each([
  ['uncertain', 9],
  ['safe', 10],
] as const)('the stock after a refund of what is %s', async (withdrawal, stock) => {
  await using other = await storeOfATest({
    withdraw: async (ids) => new Map(ids.map((id) => [id, withdrawal])),
  });
  const member = await other.newMember(10);
  const { id: productId } = await other.newProduct({ stock: 10 });
  const request = orderOf({ memberId: member, lines: [{ productId }] });
  const order = granted(await other.orders.place(request, null, byOwner));
  await other.setState(deliveryIds(order), 'unknown');
  granted(await other.orders.refund(order.id, null, byOwner));
  expect(await other.balance(member)).toBe(10);
  expect(await other.query('select stock from products where id = $1', [productId])).toEqual([{ stock }]);
});

// Guarantee: in a restored database nothing that waits is paid back before the game was asked or a person knows the result.
test.each([
  ['safe', 10],
  ['away', 0],
  ['uncertain', 0],
] as const)('a delivery of a restored database that is %s', async (withdrawal, balance) => {
  await using other = await storeOfATest({
    withdraw: async (ids) => new Map(ids.map((id) => [id, withdrawal])),
  });
  const member = await other.newMember(10);
  const { id: productId } = await other.newProduct();
  const request = orderOf({ memberId: member, lines: [{ productId }] });
  const order = granted(await other.orders.place(request, null, byOwner));
  await other.query('update store_state set epoch = epoch + 1');
  const [line] = order.lines;
  const refunded = await other.orders.refund(order.id, line ? [line.id] : null, byOwner);
  expect(isRefusal(refunded)).toBe(balance === 0);
  expect(await other.balance(member)).toBe(balance);
});

// Guarantee: one line is refunded alone, only in its own order; the points go to the remaining wallet.
test('a refund by line, after a merge', async () => {
  const [former, owner] = [await store.newMember(100), await store.newMember(0)];
  const [one, other] = [await store.newProduct({ price: 10 }), await store.newProduct({ price: 5 })];
  const lines = [{ productId: one.id }, { productId: other.id }];
  const order = granted(await store.orders.place(orderOf({ memberId: former, lines }), null, byOwner));
  await store.query(
    `insert into ledger (kind, from_account, from_member, to_account, to_member, amount, actor)
     values ('merge', 'wallet', $1, 'wallet', $2, 85, 'test')`,
    [former, owner],
  );
  await store.query('update members set merged_into = $1 where id = $2', [owner, former]);
  const lineId = order.lines.find(({ productId }) => productId === other.id)?.id ?? '';
  const refunded = granted(await store.orders.refund(order.id, [lineId], byOwner));
  expect(refunded.refunded).toBe(5);
  expect(refunded.lines.map(({ refunded: points }) => points)).toEqual([0, 5]);
  expect(await store.balance(owner)).toBe(90);
  expect(await store.balance(former)).toBe(0);
  const { order: another } = await placeThree();
  expect(await store.orders.refund(another.id, [lineId], byOwner)).toMatchObject({ refused: 'NOT_FOUND' });
  expect(await store.orders.refund('none', null, byOwner)).toMatchObject({ refused: 'NOT_FOUND' });
});

// Guarantee: pieces bought while the stock was not counted do not appear in it when they come back.
test('a stock that was set after the sale', async () => {
  const member = await store.newMember(100);
  const product = await store.newProduct();
  const lines = [{ productId: product.id }];
  const order = granted(await store.orders.place(orderOf({ memberId: member, lines }), null, byOwner));
  await store.query('update products set stock = 4 where id = $1', [product.id]);
  granted(await store.orders.refund(order.id, null, byOwner));
  expect(await stockOf(product.id)).toBe(4);
});

// Guarantee: a stock that is counted, uncounted and counted again holds what was set and what came back from it, and no more.
test('a stock from number to none and back', async () => {
  const member = await store.newMember(100);
  let product = await store.newProduct({ stock: 10 });
  const buy = async (quantity: number) =>
    granted(
      await store.orders.place(
        orderOf({ memberId: member, lines: [{ productId: product.id, quantity }] }),
        null,
        byOwner,
      ),
    ).id;
  const setStock = async (stock: number | null) => {
    product = granted(
      await store.catalogue.change(
        product.id,
        { ...draftOf({ stock }), version: product.version, stockWas: product.stock },
        byOwner,
      ),
    );
  };
  const refund = async (id: string) => granted(await store.orders.refund(id, null, byOwner));
  const [counted, lost] = [await buy(2), await buy(1)];
  expect(await stockOf(product.id)).toBe(7);
  await setStock(null);
  const uncounted = await buy(3);
  // It comes back while nothing is counted.
  await refund(lost);
  expect(await stockOf(product.id)).toBeNull();
  await setStock(5);
  expect(await stockOf(product.id)).toBe(5);
  await refund(uncounted);
  expect(await stockOf(product.id)).toBe(5);
  await refund(counted);
  expect(await stockOf(product.id)).toBe(7);
  expect(await store.balance(member)).toBe(100);
  // Pieces that were returned to no stock are taken from none when they arrive after all.
  const [delivery] = await store.query<{ id: string }>('select id from deliveries where order_id = $1', [
    lost,
  ]);
  await store.query(`select castellan_charge_again($1, 'test', null)`, [delivery?.id]);
  expect(await stockOf(product.id)).toBe(7);
  await setStock(null);
  expect(await stockOf(product.id)).toBeNull();
});
