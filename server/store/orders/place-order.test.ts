import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '../../kernel/access/actor.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { holdProduct } from '../catalogue/hold-product.ts';
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

/** Everything that an order writes. */
const traces = async () =>
  store.query(
    `select (select count(*) from orders) as orders, (select count(*) from order_lines) as lines,
            (select count(*) from deliveries) as deliveries, (select count(*) from ledger) as entries,
            (select count(*) from order_requests) as requests, (select count(*) from queue.job) as jobs,
            (select count(*) from audit_logs) as audit, (select sum(stock) from products) as stock`,
  );

// Guarantee: charge, order, deliveries and their job appear together, and the deliveries' points add up to what was paid.
test('an order is charged, kept and put on its way', async () => {
  const payer = await store.newMember(100);
  const receiver = await store.newMember(0);
  const product = await store.newProduct({
    price: 17,
    stock: 5,
    lines: [
      { kind: 'item', item: 'minecraft:diamond', quantity: 3 },
      { kind: 'command', command: 'xp add {player} 5' },
    ],
  });
  const order = granted(
    await store.orders.place(
      orderOf({
        memberId: payer,
        receiverId: receiver,
        lines: [{ productId: product.id, quantity: 2 }],
        expectedTotal: 34,
      }),
      null,
      byOwner,
    ),
  );
  expect(order).toMatchObject({
    total: 34,
    refunded: 0,
    progress: 'open',
    source: 'panel',
    memberName: `member ${payer}`,
    receiverId: receiver,
    lines: [{ productId: product.id, productVersion: 1, quantity: 2, unitPrice: 17, paid: 34 }],
  });
  expect(order.deliveries.map(({ line, points }) => [line.kind, line.quantity, points])).toEqual([
    ['item', 6, 17],
    ['command', 1, 8],
    ['command', 1, 9],
  ]);
  expect(await store.balance(payer)).toBe(66);
  expect(await store.query('select stock from products where id = $1', [product.id])).toEqual([{ stock: 3 }]);
  expect(await store.query(`select data from queue.job where name = 'delivery-wakes'`)).toContainEqual({
    data: { memberId: receiver },
  });
  expect(store.asked.woken).toEqual([receiver]);
  expect(
    await store.query(`select kind, from_member, amount from ledger where order_id = $1`, [order.id]),
  ).toEqual([{ kind: 'purchase', from_member: payer, amount: '34' }]);
  expect(await store.query('select action, target from audit_logs order by id desc limit 1')).toEqual([
    { action: 'orders.place', target: `order:${order.id}` },
  ]);
});

// Guarantee: a refused order leaves no charge, no order, no delivery, no job, no used key and no stock taken.
test('what is refused leaves nothing', async () => {
  const rich = await store.newMember(1_000_000);
  const poor = await store.newMember(9);
  const [merged, erased] = [await store.newMember(50), await store.newMember(50)];
  await store.query('update members set merged_into = $1 where id = $2', [rich, merged]);
  await store.query('update members set erased_at = now() where id = $1', [erased]);
  const plain = await store.newProduct();
  const scarce = await store.newProduct({ stock: 2 });
  const off = await store.newProduct({ isEnabled: false });
  const early = await store.newProduct({ limits: { saleFrom: '2999-01-01T00:00:00Z' } });
  const late = await store.newProduct({ limits: { saleUntil: '2020-01-01T00:00:00Z' } });
  const held = await store.newProduct();
  await holdProduct(
    store.database.db,
    { productId: held.id, version: 1, item: 'minecraft:diamond' },
    'no such item',
    new Date(),
  );
  const archived = await store.newProduct();
  granted(await store.catalogue.archive(archived.id, { version: 1, archived: true }, byOwner));
  const blueprint = "Blueprint'/Game/Mods/X.X'";
  const unconfirmed = await store.newProduct({
    game: 'ark-se',
    lines: [{ kind: 'item', item: blueprint, quantity: 1 }],
  });
  const limited = await store.newProduct({ limits: { perMember: 1 } });
  const huge = await store.newProduct({
    price: 0,
    lines: [
      { kind: 'command', command: 'say {player}' },
      { kind: 'command', command: 'say {player}' },
    ],
  });

  const before = await traces();
  const cases = [
    [{ memberId: poor, lines: [{ productId: plain.id }] }, 'INSUFFICIENT_POINTS'],
    [{ memberId: rich, lines: [{ productId: scarce.id, quantity: 3 }] }, 'OUT_OF_STOCK'],
    [{ memberId: rich, lines: [{ productId: off.id }] }, 'PRODUCT_NOT_FOR_SALE'],
    [{ memberId: rich, lines: [{ productId: early.id }] }, 'PRODUCT_NOT_FOR_SALE'],
    [{ memberId: rich, lines: [{ productId: late.id }] }, 'PRODUCT_NOT_FOR_SALE'],
    [{ memberId: rich, lines: [{ productId: held.id }] }, 'PRODUCT_NOT_FOR_SALE'],
    [{ memberId: rich, lines: [{ productId: archived.id }] }, 'PRODUCT_NOT_FOR_SALE'],
    [{ memberId: rich, lines: [{ productId: archived.id }], isTest: true }, 'PRODUCT_NOT_FOR_SALE'],
    [{ memberId: rich, lines: [{ productId: unconfirmed.id }] }, 'PRODUCT_NOT_FOR_SALE'],
    [{ memberId: rich, lines: [{ productId: limited.id, quantity: 2 }] }, 'LIMIT_REACHED'],
    [{ memberId: rich, lines: [{ productId: plain.id }], expectedTotal: 9 }, 'PRICE_CHANGED'],
    [{ memberId: rich, lines: [{ productId: huge.id, quantity: 501 }] }, 'INVALID_REQUEST'],
    [{ memberId: merged, lines: [{ productId: plain.id }] }, 'MEMBER_GONE'],
    [{ memberId: erased, lines: [{ productId: plain.id }] }, 'MEMBER_GONE'],
    [{ memberId: rich, receiverId: merged, lines: [{ productId: plain.id }] }, 'MEMBER_GONE'],
    [{ memberId: rich, receiverId: '999999999', lines: [{ productId: plain.id }] }, 'NOT_FOUND'],
    [{ memberId: rich, lines: [{ productId: plain.id }, { productId: 'none' }] }, 'NOT_FOUND'],
  ] as const;
  for (const [index, [order, code]] of cases.entries()) {
    const request = orderOf({ ...order, lines: [...order.lines] });
    const answer = await store.orders.place(request, `refused-${index}`, byOwner);
    expect([index, isRefusal(answer) && answer.refused]).toEqual([index, code]);
    const preview = await store.orders.preview(request, testOwner);
    const told = isRefusal(preview) ? [preview.refused] : preview.refusals.map((refusal) => refusal.code);
    expect([index, told]).toEqual([index, [code]]);
  }
  expect(await traces()).toEqual(before);
});

// Guarantee: a key creates one order for the same caller and body, even for concurrent requests; another body is refused.
test('an order with a key is made once', async () => {
  const member = await store.newMember(1000);
  const { id: productId } = await store.newProduct();
  const request = orderOf({ memberId: member, lines: [{ productId }] });
  const together = await Promise.all(
    Array.from({ length: 8 }, () => store.orders.place(request, 'key-1', byOwner)),
  );
  const ids = together.map((answer) => granted(answer).id);
  expect(new Set(ids).size).toBe(1);
  expect(await store.balance(member)).toBe(990);
  const again = granted(await store.orders.place({ ...request }, 'key-1', byOwner));
  expect(again.id).toBe(ids[0]);

  const other = orderOf({ memberId: member, lines: [{ productId, quantity: 2 }] });
  expect(await store.orders.place(other, 'key-1', byOwner)).toMatchObject({
    refused: 'IDEMPOTENCY_MISMATCH',
  });
  const someoneElse: Actor = { ...testOwner, kind: 'api-key', id: 'k' };
  const theirs = granted(await store.orders.place(request, 'key-1', { ...byOwner, actor: someoneElse }));
  expect(theirs.id).not.toBe(ids[0]);
  expect(theirs.source).toBe('api');
  expect(await store.balance(member)).toBe(980);
});

// Guarantee: a key whose order was refused can be used again.
test('a refusal frees its key', async () => {
  const member = await store.newMember(0);
  const { id: productId } = await store.newProduct();
  const request = orderOf({ memberId: member, lines: [{ productId }] });
  expect(await store.orders.place(request, 'key-2', byOwner)).toMatchObject({
    refused: 'INSUFFICIENT_POINTS',
  });
  await store.query(
    `insert into ledger (kind, from_account, to_account, to_member, amount, actor)
     values ('grant', 'issued', 'wallet', $1, 10, 'test')`,
    [member],
  );
  expect(granted(await store.orders.place(request, 'key-2', byOwner)).total).toBe(10);
});

// Guarantee: what is bought is what was shown: the order keeps its version and price, whatever happens to the product later.
test('a product that is changed while it is bought', async () => {
  const member = await store.newMember(1000);
  const product = await store.newProduct();
  const lines = [{ productId: product.id }];
  const order = granted(await store.orders.place(orderOf({ memberId: member, lines }), null, byOwner));
  granted(
    await store.catalogue.change(
      product.id,
      { ...draftOf({ name: 'Dearer', price: 25 }), version: 1 },
      byOwner,
    ),
  );
  expect(
    await store.orders.place(orderOf({ memberId: member, lines, expectedTotal: 10 }), null, byOwner),
  ).toMatchObject({ refused: 'PRICE_CHANGED', detail: 'The order now costs 25 points.' });
  expect(granted(await store.orders.read(order.id)).lines).toMatchObject([
    { name: 'Diamonds', productVersion: 1, paid: 10 },
  ]);
});

// Guarantee: even when both happen at the same time, an order pays the expected price, for the version that had it.
test('a product that is changed at the moment it is bought', async () => {
  const member = await store.newMember(10_000);
  const product = await store.newProduct({ stock: 1000 });
  const request = orderOf({ memberId: member, lines: [{ productId: product.id }], expectedTotal: 10 });
  const answers: Awaited<ReturnType<typeof store.orders.place>>[] = [];
  for (let version = 1; version <= 10; version += 1) {
    const draft = draftOf({ price: version % 2 ? 25 : 10, stock: 1000 });
    const [changed, ...placed] = await Promise.all([
      store.catalogue.change(product.id, { ...draft, version }, byOwner),
      ...Array.from({ length: 4 }, () => store.orders.place(request, null, byOwner)),
    ]);
    expect(changed).toMatchObject({ version: version + 1 });
    answers.push(...placed);
  }
  // It costs as much as at the beginning.
  answers.push(granted(await store.orders.place(request, null, byOwner)));
  for (const answer of answers)
    if (isRefusal(answer)) expect(answer).toMatchObject({ refused: 'PRICE_CHANGED' });
  const bought = await store.query<{ price: string; count: number }>(
    `select price, count(*)::int as count from order_lines as line
       join product_versions as bought on bought.product_id = line.product_id and version = product_version
     where line.product_id = $1 group by price`,
    [product.id],
  );
  const placed = answers.filter((answer) => !isRefusal(answer)).length;
  expect(bought).toEqual([{ price: '10', count: placed }]);
  expect(await store.balance(member)).toBe(10_000 - 10 * placed);
});

// Guarantee: limits count the pieces that a member receives, including gifts and merged members but not refunds, and expire on time.
test('limits count what a member receives', async () => {
  const [payer, receiver, former] = [
    await store.newMember(1000),
    await store.newMember(1000),
    await store.newMember(1000),
  ];
  const { id: productId } = await store.newProduct({ limits: { perPeriod: { count: 3, days: 7 } } });
  const buy = (memberId: string, quantity: number, receiverId = memberId) =>
    store.orders.place(orderOf({ memberId, receiverId, lines: [{ productId, quantity }] }), null, byOwner);
  const gift = granted(await buy(payer, 1, receiver));
  granted(await buy(former, 1));
  granted(await buy(payer, 3));
  await store.query('update members set merged_into = $1 where id = $2', [receiver, former]);
  expect(await buy(receiver, 2)).toMatchObject({ refused: 'LIMIT_REACHED' });
  granted(await buy(receiver, 1));
  expect(await buy(receiver, 1)).toMatchObject({ refused: 'LIMIT_REACHED' });
  granted(await store.orders.refund(gift.id, null, byOwner));
  granted(await buy(receiver, 1));
  expect(await buy(receiver, 1)).toMatchObject({ refused: 'LIMIT_REACHED' });
  store.advance(7 * 86_400_000 + 1000);
  granted(await buy(receiver, 3));

  const { id: cooling } = await store.newProduct({ limits: { cooldownSeconds: 60 } });
  const again = () =>
    store.orders.place(orderOf({ memberId: payer, lines: [{ productId: cooling }] }), null, byOwner);
  granted(await again());
  expect(await again()).toMatchObject({ refused: 'LIMIT_REACHED' });
  store.advance(60_000);
  granted(await again());
});

// Guarantee: what was bought while the clock was 70 years ahead makes no one wait until then, and counts for good.
test('limits after a clock that was ahead', async () => {
  const memberId = await store.newMember(1000);
  const limits = { perMember: 3, perPeriod: { count: 1, days: 7 }, cooldownSeconds: 60 };
  const { id: productId } = await store.newProduct({ limits });
  const buy = () =>
    store.orders.place(orderOf({ memberId, lines: [{ productId, quantity: 1 }] }), null, byOwner);
  const boughtAhead = () =>
    store.query(`update order_lines set created_at = now() + interval '70 years' where product_id = $1`, [
      productId,
    ]);
  granted(await buy());
  expect(await buy()).toMatchObject({ refused: 'LIMIT_REACHED' });
  await boughtAhead();
  granted(await buy());
  await boughtAhead();
  granted(await buy());
  await boughtAhead();
  expect(await buy()).toMatchObject({ refused: 'LIMIT_REACHED' });
});

// Guarantee: a test is free, requires the permission for the store, and neither counts for limits nor takes or returns stock.
test('a test order', async () => {
  const member = await store.newMember(0, 'minecraft');
  const { id: productId } = await store.newProduct({
    isEnabled: false,
    stock: 0,
    limits: { perMember: 1 },
  });
  const request = orderOf({ memberId: member, lines: [{ productId, quantity: 2 }], isTest: true });
  const seller: Actor = { ...testOwner, permissions: new Set(['orders.write', 'orders.read']) };
  expect(await store.orders.place(request, null, { ...byOwner, actor: seller })).toMatchObject({
    refused: 'FORBIDDEN',
  });
  const entries = await store.query('select id from ledger');
  const order = granted(await store.orders.place(request, null, byOwner));
  expect(order).toMatchObject({ source: 'test', total: 0 });
  expect(await store.query('select id from ledger')).toEqual(entries);
  granted(await store.orders.refund(order.id, null, byOwner));
  expect(await store.query('select stock from products where id = $1', [productId])).toEqual([{ stock: 0 }]);
});

// Guarantee: a test order for a member who was never seen in the product's game is refused with the reason, in the preview, too; one
// for a member who was on a server of it is not, nor is a command that is for no player.
test('a test order for who cannot receive', async () => {
  const other = await store.newMember(0, 'ark-se');
  const product = await store.newProduct();
  const test = (memberId: string, productId = product.id) =>
    orderOf({ memberId, lines: [{ productId }], isTest: true });
  const place = (request: ReturnType<typeof test>) => store.orders.place(request, null, byOwner);
  const detail = expect.stringContaining('The recipient has not been seen in Minecraft yet.');
  expect(await place(test(other))).toMatchObject({ refused: 'RECIPIENT_UNSEEN', detail });
  expect(await store.orders.preview(test(other), byOwner.actor)).toMatchObject({
    refusals: [{ code: 'RECIPIENT_UNSEEN', why: { kind: 'said', reason: { code: 'receiver-unseen-in' } } }],
  });
  const paid = orderOf({ memberId: await store.newMember(10), lines: [{ productId: product.id }] });
  granted(await place(paid));
  const weather = await store.newProduct({ lines: [{ kind: 'command', command: 'weather clear' }] });
  granted(await place(test(other, weather.id)));
  await store.query(
    `insert into player_sessions (player_id, server_id, handle, joined_at)
     select id, 'mc', '', now() from players where member_id = $1`,
    [other],
  );
  granted(await place(test(other)));
});

// Guarantee: a preview shows the price, the objections and the commands for the receiver, and writes nothing.
test('a preview', async () => {
  const member = await store.newMember(15);
  await store.query(
    `insert into players (identity, platform_id, game, name, name_key, member_id)
     values ('name:minecraft:alex', null, 'minecraft', 'Alex', 'alex', $1)`,
    [member],
  );
  const { id: productId } = await store.newProduct({
    lines: [
      { kind: 'item', item: 'minecraft:dirt', quantity: 10 },
      { kind: 'command', command: 'xp add {player} {quantity} levels' },
      { kind: 'command', command: 'whitelist add {platformId}' },
    ],
  });
  const before = await traces();
  const request = orderOf({ memberId: member, lines: [{ productId, quantity: 2 }] });
  const preview = granted(await store.orders.preview(request, testOwner));
  expect(preview).toMatchObject({ total: 20, balance: 15, refusals: [{ code: 'INSUFFICIENT_POINTS' }] });
  expect(preview.deliveries.map(({ command, points }) => [command, points])).toEqual([
    ['give Alex minecraft:dirt 20', 6],
    ['xp add Alex 2 levels', 7],
    [null, 3],
    [null, 4],
  ]);
  expect(preview.deliveries.at(-1)?.detail).toMatch(/platformId/);
  expect(await traces()).toEqual(before);
});

// Guarantee: lines have exactly the time of their order, by which figures find both.
test('lines have the time of their order', async () => {
  const memberId = await store.newMember(100);
  const { id: productId } = await store.newProduct();
  const request = orderOf({ memberId, lines: [{ productId }] });
  const { id } = granted(await store.orders.place(request, null, byOwner));
  const times = await store.query(
    `select distinct orders.created_at = line.created_at as same
     from orders join order_lines as line on line.order_id = orders.id where orders.id = $1`,
    [id],
  );
  expect(times).toEqual([{ same: true }]);
});
