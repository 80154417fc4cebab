import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { inParallel } from './testing/in-parallel.ts';
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

const part = (productId: string, quantity = 1) => ({ kind: 'product' as const, productId, quantity });
const stockOf = async (...ids: string[]) =>
  (
    await store.query<{ stock: number | null }>(
      'select stock from products where id = any ($1) order by array_position($1, id)',
      [ids],
    )
  ).map(({ stock }) => stock);
const place = (memberId: string, ...lines: { productId: string; quantity?: number }[]) =>
  store.orders.place(orderOf({ memberId, lines }), null, byOwner);

// Guarantee: a change of a bundle that runs into a deadlock with an order still succeeds.
test('a bundle is changed while its part and then the bundle are locked', async () => {
  const sword = await store.newProduct();
  const bundle = await store.newProduct({ lines: [part(sword.id)] });
  const order = await store.database.pool.connect();
  await order.query('begin');
  // Makes Postgres end the other transaction.
  await order.query(`set local deadlock_timeout = '1min'`);
  await order.query('select from products where id = $1 for update', [sword.id]);
  const { version } = bundle;
  const changing = store.catalogue.change(
    bundle.id,
    { ...draftOf({ name: 'Changed', lines: [part(sword.id)] }), version },
    byOwner,
  );
  await eventually(async () => {
    const waiting = await store.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    if (waiting.length === 0) throw new Error('the change does not wait yet');
  });
  await order.query('select from products where id = $1 for update', [bundle.id]);
  await order.query('commit');
  order.release();
  expect(granted(await changing)).toMatchObject({ name: 'Changed', version: 2 });
});

// Guarantee: one line of an order buys what all products in the bundle hold now; its price is split by what they cost alone,
// each is given on its own servers, and each stock, including the bundle's own, goes down.
test('a bundle is bought', async () => {
  const member = await store.newMember(1000);
  const sword = await store.newProduct({ price: 30, stock: 10, serverIds: ['mc'], isEnabled: false });
  const food = await store.newProduct({
    price: 10,
    lines: [{ kind: 'command', command: 'xp add {player} 5' }],
    limits: { perMember: 1 },
  });
  const bundle = await store.newProduct({
    price: 50,
    stock: 4,
    lines: [part(sword.id, 2), part(food.id, 3)],
  });
  expect(bundle.notForSale).toBeNull();
  const order = granted(await place(member, { productId: bundle.id, quantity: 2 }));
  expect(order).toMatchObject({ total: 100, lines: [{ productId: bundle.id, quantity: 2, paid: 100 }] });
  expect(
    order.deliveries.map(({ line, points }) => [line.kind, line.position, line.quantity, points]),
  ).toEqual([['item', 0, 12, 66], ...[5, 6, 6, 5, 6, 6].map((points) => ['command', 1, 1, points])]);
  expect(
    await store.query(
      `select distinct line ->> 'kind' as kind, server_ids from deliveries where order_id = $1 order by 1`,
      [order.id],
    ),
  ).toEqual([
    { kind: 'command', server_ids: [] },
    { kind: 'item', server_ids: ['mc'] },
  ]);
  expect(await stockOf(bundle.id, sword.id, food.id)).toEqual([2, 6, null]);
});

// Guarantee: a refund returns what was paid, and to each stock what was taken from it, once; what arrived goes back into none.
test('a bundle is refunded', async () => {
  const member = await store.newMember(100);
  const one = await store.newProduct({ price: 5, stock: 10 });
  const two = await store.newProduct({ price: 5, stock: 10 });
  const bundle = await store.newProduct({ price: 8, stock: 3, lines: [part(one.id, 2), part(two.id)] });
  const order = granted(await place(member, { productId: bundle.id }, { productId: one.id, quantity: 3 }));
  expect(await stockOf(bundle.id, one.id, two.id)).toEqual([2, 5, 9]);
  const [line] = order.lines;
  const refunded = granted(await store.orders.refund(order.id, [line?.id ?? ''], byOwner));
  expect(refunded.refunded).toBe(8);
  expect(await stockOf(bundle.id, one.id, two.id)).toEqual([3, 7, 10]);
  granted(await store.orders.refund(order.id, null, byOwner));
  granted(await store.orders.refund(order.id, null, byOwner));
  expect(await stockOf(bundle.id, one.id, two.id)).toEqual([3, 10, 10]);
  expect(await store.balance(member)).toBe(100);

  const arrived = granted(await place(member, { productId: bundle.id }));
  await store.setState(deliveryIds(arrived), 'delivered');
  granted(await store.orders.refund(arrived.id, null, byOwner));
  expect(await store.balance(member)).toBe(100);
  expect(await stockOf(bundle.id, one.id, two.id)).toEqual([2, 8, 9]);
});

// Guarantee: a late result that a person charges again takes from the same stocks again.
test('a refunded bundle that arrived after all', async () => {
  const member = await store.newMember(100);
  const one = await store.newProduct({ stock: 10 });
  const bundle = await store.newProduct({ price: 8, lines: [part(one.id, 4)] });
  const order = granted(await place(member, { productId: bundle.id }));
  granted(await store.orders.refund(order.id, null, byOwner));
  expect(await stockOf(one.id)).toEqual([10]);
  for (const id of deliveryIds(order))
    await store.query(`select castellan_charge_again($1, 'test', null)`, [id]);
  expect(await stockOf(one.id)).toEqual([6]);
  expect(await store.balance(member)).toBe(92);
});

// Guarantee: a bundle is not sold, not even as a test, while one of its products can never be given; it is not sold while
// one has stopped selling.
test('a bundle with a part that is archived, stopped or gone to another game', async () => {
  const member = await store.newMember(100, 'minecraft');
  const one = await store.newProduct({ name: 'One' });
  const bundle = await store.newProduct({ lines: [part(one.id)] });
  const read = async () => granted(await store.catalogue.read(bundle.id));

  await store.query(`update products set held_at = now(), held_reason = 'why' where id = $1`, [one.id]);
  expect((await read()).notForSale).toContain('It contains “One”, which was paused automatically: why');
  const free = orderOf({ memberId: member, lines: [{ productId: bundle.id }], isTest: true });
  granted(await store.orders.place(free, null, byOwner));
  await store.query('update products set held_at = null, held_reason = null where id = $1', [one.id]);
  expect((await read()).notForSale).toBeNull();

  granted(await store.catalogue.archive(one.id, { version: one.version, archived: true }, byOwner));
  expect(await read()).toMatchObject({ notes: [{ position: 0, kind: 'invalid' }] });
  expect(await place(member, { productId: bundle.id })).toMatchObject({ refused: 'PRODUCT_NOT_FOR_SALE' });
  expect(await store.orders.place(free, null, byOwner)).toMatchObject({ refused: 'PRODUCT_NOT_FOR_SALE' });
  expect(await store.balance(member)).toBe(100);
});

// Guarantee: a bundle contains products of its game, each once, none of them a bundle; a product in a bundle cannot become one.
test('bundles that cannot be', async () => {
  const one = await store.newProduct();
  const ark = await store.newProduct({
    game: 'ark-se',
    lines: [{ kind: 'command', command: 'Broadcast hello' }],
  });
  const bundle = await store.newProduct({ name: 'Kit', lines: [part(one.id)] });
  const why = async (draft: Parameters<typeof draftOf>[0]) => {
    const made = await store.catalogue.create(draftOf(draft), byOwner);
    return isRefusal(made) ? made.detail : null;
  };
  expect(await why({ lines: [part('nothing')] })).toBe('Part 1: This product does not exist.');
  expect(await why({ lines: [part(one.id), part(one.id)] })).toContain('already contains this product');
  expect(await why({ lines: [part(ark.id)] })).toContain('for another game');
  expect(await why({ lines: [part(bundle.id)] })).toContain('cannot contain bundles');
  expect(await why({ lines: [part(one.id), { kind: 'command', command: 'say x' }] })).toContain(
    'can only contain products',
  );
  expect(await why({ lines: [part(one.id)], serverIds: ['mc'] })).toContain('cannot have servers');
  const two = await store.newProduct();
  const changed = { ...draftOf({ lines: [part(two.id)] }), version: one.version };
  expect(await store.catalogue.change(one.id, changed, byOwner)).toMatchObject({
    refused: 'PRODUCT_INVALID',
    detail: 'The bundle “Kit” contains this product, so it cannot become a bundle or change its game.',
  });
});

// Guarantee: of two concurrent changes that would put a bundle into a bundle, only one is saved.
test('a product is put into a bundle and becomes one at once', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [one, two] = [await store.newProduct(), await store.newProduct()];
    const [holds, becomes] = await Promise.all([
      store.catalogue.create(draftOf({ lines: [part(one.id)] }), byOwner),
      store.catalogue.change(one.id, { ...draftOf({ lines: [part(two.id)] }), version: 1 }, byOwner),
    ]);
    expect([isRefusal(holds), isRefusal(becomes)].filter((refused) => refused)).toHaveLength(1);
  }
});

// Guarantee: an order that buys a product both alone and in a bundle takes no more than its stock holds.
test('one stock for two lines', async () => {
  const member = await store.newMember(1000);
  const one = await store.newProduct({ stock: 5 });
  const bundle = await store.newProduct({ lines: [part(one.id, 2)] });
  const lines = [
    { productId: one.id, quantity: 2 },
    { productId: bundle.id, quantity: 2 },
  ];
  const request = orderOf({ memberId: member, lines });
  expect(granted(await store.orders.preview(request, testOwner)).refusals).toMatchObject([
    { productId: bundle.id, why: { kind: 'stock', left: 1 } },
  ]);
  expect(await place(member, ...lines)).toMatchObject({ refused: 'OUT_OF_STOCK' });
  expect(await stockOf(one.id)).toEqual([5]);
});

// Guarantee: however many buy bundles and their products at the same time, every piece is in a stock or in an order, and none twice.
test('100 orders at once of two bundles that share a product', { timeout: 120_000 }, async () => {
  const one = await store.newProduct({ price: 1, stock: 60 });
  const two = await store.newProduct({ price: 1, stock: 45 });
  const first = await store.newProduct({ price: 3, lines: [part(one.id, 2), part(two.id)] });
  const second = await store.newProduct({ price: 3, stock: 10, lines: [part(two.id, 2), part(one.id)] });
  const members = await Promise.all(Array.from({ length: 100 }, () => store.newMember(10)));
  const ids = [first.id, second.id, one.id];
  const answers = new Array<Awaited<ReturnType<typeof place>>>(members.length);
  await inParallel(members.length, 10, async (index) => {
    answers[index] = await place(members[index] ?? '', { productId: ids[index % 3] ?? '' });
  });
  const placed = answers.flatMap((answer, index) => (isRefusal(answer) ? [] : [{ answer, kind: index % 3 }]));
  const refused = answers.flatMap((answer) => (isRefusal(answer) ? [answer.refused] : []));
  expect(new Set(refused)).toEqual(new Set(['OUT_OF_STOCK']));
  const sold = (kind: number) => placed.filter((one) => one.kind === kind).length;
  expect(await stockOf(one.id, two.id, second.id)).toEqual([
    60 - sold(0) * 2 - sold(1) - sold(2),
    45 - sold(0) - sold(1) * 2,
    10 - sold(1),
  ]);
  for (const { answer } of placed) granted(await store.orders.refund(answer.id, null, byOwner));
  expect(await stockOf(one.id, two.id, second.id)).toEqual([60, 45, 10]);
});

// Guarantee: an order paid outside takes what is left and marks the rest; its refund returns only what it took.
test('an oversold bundle', async () => {
  const member = await store.newMember(0);
  const one = await store.newProduct({ stock: 3 });
  const bundle = await store.newProduct({ stock: 5, lines: [part(one.id, 2)] });
  const request = orderOf({ memberId: member, lines: [{ productId: bundle.id, quantity: 3 }] });
  const terms = { source: 'shop' as const, isPaidOutside: true, ignoresLimits: true };
  const order = granted(await store.orders.place(request, null, byOwner, terms));
  expect(order.lines).toMatchObject([{ quantity: 3, oversold: 2, paid: 0 }]);
  expect(await stockOf(bundle.id, one.id)).toEqual([2, 0]);
  granted(await store.orders.refund(order.id, null, byOwner));
  expect(await stockOf(bundle.id, one.id)).toEqual([5, 3]);
});
