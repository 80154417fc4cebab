import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Order, orderRequest, ordersHttp } from '#contracts/store/orders.ts';
import { openApiDocument } from '#runtime/http/openapi.ts';
import { createLog } from '#runtime/log.ts';
import { createJobSender } from '../../kernel/queues/job-sender.ts';
import { call } from '../../kernel/testing/call.ts';
import { type FeatureApi, serveFeature } from '../../kernel/testing/feature-api.ts';
import { bindOrdersRoutes } from './orders.routes.ts';
import { byOwner, granted, orderOf, type StoreOfATest, storeOfATest } from './testing/store-of-a-test.ts';

let store: StoreOfATest;
let api: FeatureApi;
beforeAll(async () => {
  store = await storeOfATest();
  api = await serveFeature((routes) => bindOrdersRoutes(routes, store.orders));
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

// Guarantee: over HTTP, a key creates one order; one that is malformed, or was used with another body, is refused.
test('the header Idempotency-Key', async () => {
  const memberId = await store.newMember(100);
  const { id: productId } = await store.newProduct();
  const place = (key: string, quantity = 1) =>
    call(api.port, ordersHttp.place, {
      body: { memberId, lines: [{ productId, quantity }] },
      headers: { 'Idempotency-Key': key },
    });
  const [first, second] = [await place('a key of 1'), await place('a key of 1')];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.json).toEqual(first.json);
  expect((await place('a key of 1', 2)).json).toMatchObject({ status: 409, code: 'IDEMPOTENCY_MISMATCH' });
  for (const key of ['', 'x'.repeat(201), 'é'])
    expect((await place(key)).json).toMatchObject({ status: 400, code: 'IDEMPOTENCY_KEY_INVALID' });
  expect(await store.balance(memberId)).toBe(90);
});

// Guarantee: the OpenAPI document lists the header exactly where it is accepted.
test('the header in OpenAPI', () => {
  const endpoints = Object.values(ordersHttp);
  const { paths } = openApiDocument({ title: '', version: '', description: '', endpoints }) as {
    paths: Record<
      string,
      Record<string, { parameters?: { name: string; in: string; required?: boolean }[] }>
    >;
  };
  const headers = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ parameters = [] }) =>
      parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => `${path} ${name}`),
    ),
  );
  expect(headers).toEqual(['/api/orders Idempotency-Key']);
});

// Guarantee: invalid quantities and members are refused before anything is read.
test.each([{ quantity: 0 }, { quantity: -1 }, { quantity: 1.5 }, { quantity: 1001 }, { quantity: 1e300 }])(
  'a line with %j',
  async (line) => {
    const body = { memberId: '1', lines: [{ productId: 'p', ...line }] };
    expect((await call(api.port, ordersHttp.place, { body })).json).toMatchObject({
      code: 'INVALID_REQUEST',
    });
  },
);
test('an order that names a product twice, or a member that is no number', async () => {
  for (const body of [
    { memberId: '1', lines: [{ productId: 'p' }, { productId: 'p' }] },
    { memberId: '1; drop', lines: [{ productId: 'p' }] },
    { memberId: '1', lines: [] },
    { memberId: '1', lines: [{ productId: 'p' }], expectedTotal: -1 },
  ])
    expect((await call(api.port, ordersHttp.place, { body })).json).toMatchObject({
      code: 'INVALID_REQUEST',
    });
});

// Guarantee: pages of orders neither repeat nor skip any, whatever is placed in between; filters show what they promise.
test('the list of orders', async () => {
  const [payer, receiver, former] = [
    await store.newMember(1000),
    await store.newMember(1000),
    await store.newMember(1000),
  ];
  const [one, other] = [await store.newProduct(), await store.newProduct()];
  const buy = async (memberId: string, receiverId: string, productId: string) =>
    granted(
      await store.orders.place(orderOf({ memberId, receiverId, lines: [{ productId }] }), null, byOwner),
    ).id;
  const placed: string[] = [];
  for (let index = 0; index < 7; index += 1)
    placed.unshift(await buy(payer, index % 2 ? receiver : payer, index % 3 ? one.id : other.id));
  placed.unshift(await buy(former, former, one.id));
  await store.query('update members set merged_into = $1 where id = $2', [receiver, former]);

  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: '3', ...(cursor === null ? {} : { cursor }) });
    const path = { ...ordersHttp.list, path: `${ordersHttp.list.path}?${query}` };
    const page = (await call(api.port, path)).json as { rows: Order[]; nextCursor: string | null };
    seen.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor;
    await buy(payer, payer, one.id);
  } while (cursor !== null && seen.length < 50);
  expect(seen.slice(0, placed.length)).toEqual(placed);

  const list = async (query: Parameters<typeof store.orders.list>[0]) =>
    (await store.orders.list(query)).rows.map(({ id }) => id);
  expect(await list({ limit: 50, memberId: receiver })).toEqual(
    placed.filter((_, index) => index === 0 || (7 - index) % 2 === 1),
  );
  expect(await list({ limit: 50, memberId: former })).toEqual(await list({ limit: 50, memberId: receiver }));
  expect(await list({ limit: 50, productId: other.id })).toEqual(
    placed.filter((_, index) => index > 0 && (7 - index) % 3 === 0),
  );
  expect((await list({ limit: 2, memberId: payer })).length).toBe(2);
  const foreign = { ...ordersHttp.list, path: `${ordersHttp.list.path}?cursor=x` };
  expect((await call(api.port, foreign)).json).toMatchObject({ code: 'INVALID_REQUEST' });
});

// Guarantee: an order shows its progress, and what was paid back for each line.
test('the progress of an order', async () => {
  const memberId = await store.newMember(100);
  const product = await store.newProduct({ lines: [{ kind: 'command', command: 'say {player}' }] });
  const order = granted(
    await store.orders.place(
      orderOf({ memberId, lines: [{ productId: product.id, quantity: 2 }] }),
      null,
      byOwner,
    ),
  );
  const ids = order.deliveries.map(({ id }) => id);
  const progress = async () => granted(await store.orders.read(order.id)).progress;
  expect(await progress()).toBe('open');
  await store.setState(ids, 'delivered');
  expect(await progress()).toBe('done');
  await store.setState(ids.slice(1), 'failed');
  expect(await progress()).toBe('partly');
  await store.query(
    `update deliveries set desk_reason = 'rolled-back', desk_at = now() where id = $1`,
    ids.slice(0, 1),
  );
  expect(await progress()).toBe('attention');
  granted(await store.orders.refund(order.id, null, byOwner));
  expect(await progress()).toBe('undone');
});

// Guarantee: the displayed price can be stated for every order, even one above the highest price of a product.
test('a total above the highest price of a product', () => {
  const request = { memberId: '1', lines: [{ productId: 'p', quantity: 2 }], expectedTotal: 2_000_000_000 };
  expect(orderRequest.safeParse(request).success).toBe(true);
  expect(orderRequest.safeParse({ ...request, expectedTotal: -1 }).success).toBe(false);
});

// Guarantee: while the queues do not run yet, an order is refused as a temporary problem, without a trace in log or database.
test('an order while the queues do not run yet', async () => {
  await using other = await storeOfATest({ jobs: createJobSender() });
  const lines: string[] = [];
  const log = createLog({ component: 'test', destination: { write: (line) => void lines.push(line) } });
  await using starting = await serveFeature((routes) => bindOrdersRoutes(routes, other.orders), log);
  const memberId = await other.newMember(100);
  const { id: productId } = await other.newProduct();
  const answer = await call(starting.port, ordersHttp.place, { body: { memberId, lines: [{ productId }] } });
  expect([answer.status, answer.json]).toMatchObject([503, { code: 'DATABASE_UNAVAILABLE' }]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', code: 'DATABASE_UNAVAILABLE', msg: 'The queues do not run yet.' },
  ]);
  expect(lines.join()).not.toContain('stack');
  expect(await other.balance(memberId)).toBe(100);
  expect(await other.query('select id from orders')).toEqual([]);
});
