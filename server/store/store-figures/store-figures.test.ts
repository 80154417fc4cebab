import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod';
import type { Endpoint } from '#contracts/kernel/http.ts';
import { storeFiguresHttp } from '#contracts/store/store-figures.ts';
import { ask } from '../../kernel/testing/ask.ts';
import {
  type FeatureApi,
  type MigratedDatabase,
  migratedDatabase,
  serveFeature,
} from '../../kernel/testing/feature-api.ts';
import { insertMember } from '../../kernel/testing/store-rows.ts';
import { settingsOfATest } from '../testing/store-context-of-a-test.ts';
import { bindStoreFiguresRoutes } from './store-figures.routes.ts';

let database: MigratedDatabase;
let api: FeatureApi;
let timeZone = 'America/New_York';

const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  (await database.pool.query(text, [...values])).rows as Row[];

const read = async <E extends Endpoint>(endpoint: E, search: string): Promise<z.output<E['response']>> => {
  const { status, json, text } = await ask(api.port, `${endpoint.path}?${search}`);
  if (status !== 200) throw new Error(text);
  return endpoint.response.parse(json) as z.output<E['response']>;
};

interface Sale {
  readonly at: string;
  readonly by: string;
  readonly to?: string;
  readonly source?: string;
  readonly product?: string;
  readonly quantity?: number;
  readonly price?: number;
  readonly server?: string | null;
  readonly state?: string;
  readonly certainty?: string;
  /** Seconds from the order to the end of its delivery. */
  readonly after?: number;
  readonly refundedAt?: string;
}

/** Inserts an order of one line with one delivery, and its ledger entries. */
const sell = async (sale: Sale): Promise<void> => {
  const {
    at,
    by,
    to = by,
    source = 'panel',
    product = 'p',
    quantity = 1,
    price = 10,
    server = 'north',
  } = sale;
  const { state = 'delivered', after = 60, refundedAt = null } = sale;
  const { certainty = state === 'delivered' ? 'proven' : null } = sale;
  const total = quantity * price;
  const [order] = await query<{ id: string }>(
    `insert into orders (id, created_at, member_id, receiver_id, total, source, actor)
     values (gen_random_uuid(), $1, $2, $3, $4, $5, 'test') returning id`,
    [at, by, to, total, source],
  );
  const [line] = await query<{ id: string }>(
    `insert into order_lines (order_id, product_id, product_version, receiver_id, quantity, unit_price, created_at, undone_at)
     values ($1, $2, 1, $3, $4, $5, $6, $7) returning id`,
    [order?.id, product, to, quantity, price, at, refundedAt],
  );
  await query(
    `insert into deliveries (created_at, order_id, order_line_id, member_id, game, cluster_ids, server_ids, line, points,
                             state, certainty, waits_for, server_id, epoch, ended_at, refunded_at)
     values ($1, $2, $3, $4, 'minecraft', '{}', '{}', '{}', $5, $6, $7, case when $6 = 'waiting' then 'player' end, $8, 1,
             $1::timestamptz + $9 * interval '1 second', $10)`,
    [at, order?.id, line?.id, to, total, state, certainty, server, after, refundedAt],
  );
  if (total === 0) return;
  await query(
    `insert into ledger (at, kind, from_account, from_member, to_account, amount, order_id, actor)
     values ($1, 'purchase', 'wallet', $2, 'sales', $3, $4, 'test')`,
    [at, by, total, order?.id],
  );
  if (refundedAt !== null)
    await query(
      `insert into ledger (at, kind, from_account, to_account, to_member, amount, order_id, actor)
       values ($1, 'refund', 'sales', 'wallet', $2, $3, $4, 'test')`,
      [refundedAt, by, total, order?.id],
    );
};

let heron: string;
let otter: string;

beforeAll(async () => {
  database = await migratedDatabase();
  api = await serveFeature((routes) =>
    bindStoreFiguresRoutes(routes, {
      db: database.db,
      settings: { values: (section) => settingsOfATest({ general: { timeZone } }).values(section) },
      now: Date.now,
    }),
  );
  await query(`insert into clusters (id, name, name_key, description) values ('c', 'C', 'c', '')`);
  for (const name of ['north', 'south'])
    await query(
      `insert into game_servers (id, cluster_id, name, name_key, game, port) values ($1, 'c', $1, $1, 'minecraft', 1)`,
      [name],
    );
  for (const id of ['p', 'q', 'r']) {
    await query('insert into products (id) values ($1)', [id]);
    await query(
      `insert into product_versions (product_id, version, name, name_key, description, category, price, game, lines)
       values ($1, 1, upper($1), $1, '', '', 10, 'minecraft', '[]')`,
      [id],
    );
  }
  [heron, otter] = [await insertMember(database.pool), await insertMember(database.pool)];
  for (const member of [heron, otter])
    await query(
      `insert into ledger (at, kind, from_account, to_account, to_member, amount, actor)
       values ('2026-03-07T12:00:00Z', 'grant', 'issued', 'wallet', $1, 1000, 'test')`,
      [member],
    );
  // New York: 8 March 2026 has 23 hours, from 05:00Z to 04:00Z of the next day.
  await sell({ at: '2026-03-08T04:59:59.999Z', by: heron, price: 5 });
  await sell({ at: '2026-03-08T05:00:00Z', by: heron, quantity: 2, after: 30 });
  await sell({
    at: '2026-03-09T03:59:59.999Z',
    by: heron,
    to: otter,
    source: 'api',
    product: 'q',
    price: 40,
  });
  await sell({
    at: '2026-03-09T04:00:00Z',
    by: otter,
    product: 'q',
    price: 40,
    refundedAt: '2026-03-11T12:00:00Z',
  });
  await sell({
    at: '2026-03-09T12:00:00Z',
    by: otter,
    source: 'test',
    product: 'r',
    price: 0,
    state: 'failed',
  });
  await sell({ at: '2026-03-10T12:00:00Z', by: otter, state: 'failed', server: 'south' });
  await sell({
    at: '2026-03-10T12:00:00Z',
    by: otter,
    state: 'unknown',
    server: 'south',
    source: 'shop',
    price: 0,
    refundedAt: '2026-03-12T12:00:00Z',
  });
  await query(
    `insert into shops (id, kind, name, is_enabled, game, allows_names, checks_address)
     values ('shop', 'generic', 'Shop', true, 'minecraft', false, false)`,
  );
  const shopOrders = [
    ['one', '2026-03-10T12:00:00Z', 'given', null, { value: '12.90', currency: 'EUR' }],
    ['two', '2026-03-10T13:00:00Z', 'taken-back', 'refunded', { value: '5', currency: 'eur' }],
    ['yen', '2026-03-10T14:00:00Z', 'person', 'receiver-missing', { value: '500', currency: 'JPY' }],
    ['odd', '2026-03-10T15:00:00Z', 'given', null, { value: 'much', currency: 'EUR' }],
    ['later', '2026-03-12T12:00:00Z', 'given', null, { value: '1', currency: 'EUR' }],
  ] as const;
  for (const [id, at, state, reason, amount] of shopOrders) {
    await query(
      `insert into shop_orders (id, shop_id, external_id, refs, state, reason, created_at)
       values ($1, 'shop', $1, '{}', $2, $3, $4)`,
      [id, state, reason, at],
    );
    // Reported twice: the money is the same.
    for (const event of ['first', 'again'])
      await query(
        `insert into shop_events (shop_id, event_id, type, digest, refs, facts, shop_order_id)
         values ('shop', $1, 'paid', '', '{}', $2, $3)`,
        [`${id} ${event}`, JSON.stringify({ kind: 'paid', amount }), id],
      );
  }
  await sell({ at: '2026-03-10T12:00:00Z', by: otter, certainty: 'unconfirmed', server: 'south', after: 90 });
  await sell({ at: '2026-03-10T12:00:00Z', by: otter, certainty: 'decided', server: 'south', after: 9000 });
  await sell({ at: '2026-03-10T12:00:00Z', by: otter, state: 'waiting', server: null });
  await query(
    `insert into ledger (at, kind, from_account, from_member, to_account, to_member, amount, actor)
     values ('2026-03-10T12:00:00Z', 'transfer', 'wallet', $1, 'wallet', $2, 7, 'test'),
            ('2026-03-10T12:00:00Z', 'correction', 'wallet', $1, 'issued', null, 3, 'test'),
            ('2026-03-10T13:00:00Z', 'charge', 'wallet', $1, 'sales', null, 4, 'test')`,
    [heron, otter],
  );
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const march = 'from=2026-03-08&to=2026-03-11';

// Guarantee: an order counts on its day in the community's zone, a refund on its own; a test counts nowhere.
test('sales by day', async () => {
  const { steps, ...range } = await read(storeFiguresHttp.sales, march);
  expect(range).toEqual({ timeZone, step: 'day', from: '2026-03-08', to: '2026-03-11' });
  const nothing = {
    orders: 0,
    pieces: 0,
    points: 0,
    gifts: 0,
    refunded: 0,
    chargedAgain: 0,
    sources: [],
    money: [],
  };
  expect(steps).toEqual([
    {
      ...nothing,
      start: '2026-03-08',
      orders: 2,
      pieces: 3,
      points: 60,
      gifts: 1,
      sources: [
        { source: 'api', orders: 1, pieces: 1, points: 40 },
        { source: 'panel', orders: 1, pieces: 2, points: 20 },
      ],
    },
    {
      ...nothing,
      start: '2026-03-09',
      orders: 1,
      pieces: 1,
      points: 40,
      sources: [{ source: 'panel', orders: 1, pieces: 1, points: 40 }],
    },
    {
      ...nothing,
      start: '2026-03-10',
      orders: 5,
      pieces: 5,
      points: 40,
      chargedAgain: 4,
      sources: [
        { source: 'panel', orders: 4, pieces: 4, points: 40 },
        { source: 'shop', orders: 1, pieces: 1, points: 0 },
      ],
      money: [
        { currency: 'EUR', paid: '17.90', refunded: '5' },
        { currency: 'JPY', paid: '500', refunded: '0' },
      ],
    },
    { ...nothing, start: '2026-03-11', refunded: 40 },
  ]);
});

// Guarantee: another zone moves the edges of the days, and longer steps add up the same orders.
test('sales by zone and step', async () => {
  const counts = async (search: string) =>
    (await read(storeFiguresHttp.sales, search)).steps.map(({ start, orders }) => [start, orders]);
  expect(await counts('from=2026-03-07&to=2026-03-07')).toEqual([['2026-03-07', 1]]);
  expect(await counts('from=2026-03-01&to=2026-03-31&step=week')).toEqual([
    ['2026-03-01', 0],
    ['2026-03-02', 3],
    ['2026-03-09', 6],
    ['2026-03-16', 0],
    ['2026-03-23', 0],
    ['2026-03-30', 0],
  ]);
  expect(await counts('from=2026-02-27&to=2026-03-31&step=month')).toEqual([
    ['2026-02-27', 0],
    ['2026-03-01', 9],
  ]);
  timeZone = 'Asia/Tokyo';
  expect(await counts(march)).toEqual([
    ['2026-03-08', 2],
    ['2026-03-09', 2],
    ['2026-03-10', 5],
    ['2026-03-11', 0],
  ]);
  timeZone = 'America/New_York';
});

// Guarantee: products are sorted by points, then by pieces, with what came back of their sales; what was only tested is missing.
test('the best sellers', async () => {
  const { total, rows } = await read(storeFiguresHttp.sellers, march);
  expect(total).toBe(2);
  expect(rows).toEqual([
    {
      productId: 'q',
      name: 'Q',
      orders: 2,
      pieces: 2,
      points: 80,
      undone: 1,
      refunded: 40,
      refundedPieces: 1,
    },
    // Paid outside: no points came back.
    {
      productId: 'p',
      name: 'P',
      orders: 6,
      pieces: 7,
      points: 60,
      undone: 1,
      refunded: 0,
      refundedPieces: 1,
    },
  ]);
});

// Guarantee: points entering and leaving wallets are distinguished, and transfers between wallets are neither.
test('points in and out', async () => {
  const { steps } = await read(storeFiguresHttp.points, 'from=2026-03-07&to=2026-03-11');
  const flow = (kind: string, way: 'in' | 'out' | 'moved', points: number, entries: number) => ({
    kind,
    in: 0,
    out: 0,
    moved: 0,
    entries,
    [way]: points,
  });
  expect(steps).toEqual([
    { start: '2026-03-07', kinds: [flow('grant', 'in', 2000, 2), flow('purchase', 'out', 5, 1)] },
    { start: '2026-03-08', kinds: [flow('purchase', 'out', 60, 2)] },
    { start: '2026-03-09', kinds: [flow('purchase', 'out', 40, 1)] },
    {
      start: '2026-03-10',
      kinds: [
        flow('charge', 'out', 4, 1),
        flow('correction', 'out', 3, 1),
        flow('purchase', 'out', 40, 4),
        flow('transfer', 'moved', 7, 1),
      ],
    },
    { start: '2026-03-11', kinds: [flow('refund', 'in', 40, 1)] },
  ]);
});

// Guarantee: each delivery of a sale is in one column of its server; a person's decision is no arrival time.
test('deliveries by server', async () => {
  const { rows } = await read(storeFiguresHttp.servers, march);
  const none = { open: 0, delivered: 0, unconfirmed: 0, failed: 0, unknown: 0, cancelled: 0 };
  expect(rows).toEqual([
    { ...none, serverId: 'north', name: 'north', deliveries: 3, delivered: 3, medianSeconds: 60 },
    {
      ...none,
      serverId: 'south',
      name: 'south',
      deliveries: 4,
      delivered: 2,
      unconfirmed: 1,
      failed: 1,
      unknown: 1,
      medianSeconds: 90,
    },
    { ...none, serverId: null, name: null, deliveries: 1, open: 1, medianSeconds: null },
  ]);
});

// Guarantee: an export contains the same figures, one row each, after a header row.
test('exports', async () => {
  const lines = async (endpoint: Endpoint) => {
    const { status, text } = await ask(api.port, `${endpoint.path}?${march}`);
    expect(status).toBe(200);
    return text.replace('\uFEFF', '').trimEnd().split('\r\n');
  };
  const sales = await lines(storeFiguresHttp.salesCsv);
  expect(sales).toHaveLength(5);
  const [names, first] = sales.map((line) => line.split(','));
  const cell = (name: string) => first?.[names?.indexOf(name) ?? -1];
  expect(['start', 'orders', 'points', 'api points', 'panel pieces'].map(cell)).toEqual([
    '2026-03-08',
    '2',
    '60',
    '40',
    '2',
  ]);
  expect(names).not.toContain('test orders');
  expect(await lines(storeFiguresHttp.sellersCsv)).toEqual([
    'productId,name,orders,pieces,points,undone,refunded,refundedPieces',
    'q,Q,2,2,80,1,40,1',
    'p,P,6,7,60,1,0,1',
  ]);
  expect((await lines(storeFiguresHttp.pointsCsv)).slice(0, 3)).toEqual([
    'start,kind,in,out,moved,entries',
    '2026-03-08,purchase,0,60,0,2',
    '2026-03-09,purchase,0,40,0,1',
  ]);
  expect((await lines(storeFiguresHttp.serversCsv)).at(-1)).toBe(',,1,1,0,0,0,0,0,');
});

// Guarantee: an invalid range, or one too long or too fine, is refused, and the longest one is answered.
test('edges of ranges', async () => {
  const statusOf = async (search: string) =>
    (await ask(api.port, `${storeFiguresHttp.sales.path}?${search}`)).status;
  for (const search of [
    'days=0',
    'days=3661',
    'days=1e9',
    'days=7.5',
    'from=2026-03-01',
    'to=2026-03-01',
    'from=2026-03-02&to=2026-03-01',
    'from=2026-02-29&to=2026-03-01',
    'from=1999-12-31&to=2000-01-01',
    'from=2000-01-01&to=2999-12-31',
    'days=7&from=2026-03-01&to=2026-03-02',
    'from=2020-01-01&to=2026-01-01&step=day',
    'step=hour',
    'from=%00&to=%00',
    "from=2026-03-01'&to=2026-03-02",
  ])
    expect([search, await statusOf(search)]).toEqual([search, 400]);
  const { steps, step } = await read(storeFiguresHttp.sales, 'days=3660');
  expect([step, steps.length <= 122]).toEqual(['month', true]);
  const before = await read(storeFiguresHttp.sales, 'from=2000-01-01&to=2000-01-31');
  expect(before.steps.every(({ orders }) => orders === 0)).toBe(true);
  expect((await read(storeFiguresHttp.sellers, 'from=2999-12-01&to=2999-12-31')).rows).toEqual([]);
});

// Guarantee: of a flood of readers a few read, some wait, and the others are refused; other requests still find a connection.
test('many readers at once', async () => {
  const holder = await database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table orders in access exclusive mode');
    const refused = Promise.withResolvers<void>();
    const statuses: number[] = [];
    const flood = Array.from({ length: 60 }, async () => {
      const { status } = await ask(api.port, `${storeFiguresHttp.sales.path}?${march}`);
      statuses.push(status);
      if (statuses.length === 60 - 42) refused.resolve();
    });
    await refused.promise;
    expect(new Set(statuses)).toEqual(new Set([429]));
    expect(await query('select 1 as it')).toEqual([{ it: 1 }]);
    await holder.query('commit');
    await Promise.all(flood);
    expect(statuses.filter((status) => status === 200)).toHaveLength(42);
  } finally {
    holder.release();
  }
});
