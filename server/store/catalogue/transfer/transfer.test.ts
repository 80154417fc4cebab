import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type CatalogueImport,
  catalogueTransferHttp,
  mostImportBytes,
} from '#contracts/store/catalogue-transfer.ts';
import { type Answer, ask } from '../../../kernel/testing/ask.ts';
import type { FeatureApi } from '../../../kernel/testing/feature-api.ts';
import { byOwner, draftOf, granted, type StoreOfATest } from '../../orders/testing/store-of-a-test.ts';
import { type CatalogueOfATest, catalogueOfATest } from '../testing/catalogue-of-a-test.ts';

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR4AWL6z8DwH4aZGJAAAAAA//+GpNPhAAAABklEQVQDAHTzBf+1yIrkAAAAAElFTkSuQmCC';

let catalogue: CatalogueOfATest;
let store: StoreOfATest;
let api: FeatureApi;
beforeAll(async () => {
  catalogue = await catalogueOfATest();
  ({ store, api } = catalogue);
});
afterAll(() => catalogue[Symbol.asyncDispose]());
const clear = () => catalogue.clear();
beforeEach(clear);

const send = (text: string | Buffer, dryRun = false): Promise<Answer> =>
  ask(api.port, `${catalogueTransferHttp.import.path}?dryRun=${dryRun}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: text,
  });
const take = async (text: string, dryRun = false): Promise<CatalogueImport> => {
  const { status, json, text: said } = await send(text, dryRun);
  if (status !== 200) throw new Error(said);
  return catalogueTransferHttp.import.response.parse(json);
};
const exported = async (pictures = false): Promise<string> =>
  (await ask(api.port, `${catalogueTransferHttp.export.path}?pictures=${pictures}`)).text;

interface File {
  format: string;
  version: number;
  products: Record<string, unknown>[];
}
const parsed = async (pictures = false) => JSON.parse(await exported(pictures)) as File;
const fileOf = (products: readonly Record<string, unknown>[], more: object = {}): string =>
  JSON.stringify({ format: 'castellan-catalogue', version: 1, products, ...more }, null, 1);
const entry = (more: Record<string, unknown> = {}) => ({
  name: 'Torches',
  price: 3,
  game: 'minecraft',
  lines: [{ kind: 'item', item: 'minecraft:torch', quantity: 8 }],
  ...more,
});
const countAll = async () =>
  (
    await store.query(
      `select (select count(*)::int from products) as products, (select count(*)::int from product_versions) as versions,
              (select count(*)::int from audit_logs) as audits`,
    )
  )[0];

// Guarantee: a file that is imported unchanged changes nothing; into an empty store it creates the same products.
test('there and back', async () => {
  await store.newProduct({
    name: 'Diamonds',
    category: 'Ores',
    serverIds: ['mc'],
    limits: { perMember: 3 },
    stock: 7,
  });
  const second = await store.newProduct({
    name: 'Cheats “é”',
    game: 'ark-se',
    clusterIds: ['c'],
    lines: [{ kind: 'command', command: 'EnableCheats hunter2', counterCommand: 'DisableCheats' }],
  });
  granted(await store.catalogue.setPicture(second.id, { version: 1, picture }, byOwner));
  const text = await exported(true);
  expect(await take(text)).toEqual({ created: 0, changed: 0, unchanged: 2, faults: [], faultsTotal: 0 });
  const before = (await store.catalogue.list({ archived: false, limit: 10 })).rows;
  await clear();
  expect(await take(text)).toMatchObject({ created: 2, changed: 0, unchanged: 0 });
  const after = (await store.catalogue.list({ archived: false, limit: 10 })).rows;
  const contents = ({
    createdAt: _at,
    version: _version,
    approval: _approval,
    ...product
  }: (typeof after)[number]) => product;
  expect(after.map(contents)).toEqual(before.map(contents));
  expect(await exported(true)).toBe(text);
  expect((await parsed()).products.every((product) => !('picture' in product))).toBe(true);
});

// Guarantee: an import changes what its ids name, adds the rest, and is one row of the audit log, which names each
// product with its price, and no command.
test('changed and new products', async () => {
  const sold = await store.newProduct({ name: 'Diamonds', stock: 10 });
  const away = await store.newProduct({ name: 'Away' });
  granted(await store.catalogue.archive(away.id, { version: 1, archived: true }, byOwner));
  granted(await store.catalogue.setPicture(sold.id, { version: 1, picture }, byOwner));
  await store.query('update products set stock = 4 where id = $1', [sold.id]);
  const [mark] = await store.query<{ id: string }>('select max(id) as id from audit_logs');
  const secret = [{ kind: 'command', command: 'EnableCheats hunter2' }];
  const text = fileOf([
    { ...draftJson(), id: sold.id, name: 'Diamonds', price: 99, stock: 10 },
    entry({ id: away.id, name: 'Away' }),
    entry({ game: 'ark-se', lines: secret, servers: ['ARK'], picture }),
    entry({ id: 'made-elsewhere' }),
  ]);
  expect(await take(text, true)).toMatchObject({ created: 2, changed: 2, unchanged: 0, faults: [] });
  expect(await store.catalogue.read(sold.id)).toMatchObject({ price: 10, version: 2 });
  expect(await take(text)).toMatchObject({ created: 2, changed: 2, unchanged: 0 });
  expect(await store.catalogue.read(sold.id)).toMatchObject({
    price: 99,
    version: 3,
    // Six were sold since the file was created.
    stock: 4,
    picture: { mediaType: 'image/png' },
  });
  expect(await store.catalogue.read(away.id)).toMatchObject({ archivedAt: null, price: 3 });
  expect(await store.catalogue.read('made-elsewhere')).toMatchObject({ name: 'Torches', isEnabled: false });
  const audits = await store.query('select action, before, after from audit_logs where id > $1', [mark?.id]);
  expect(audits).toEqual([
    {
      action: 'products.import',
      before: {
        changed: [
          { id: sold.id, name: 'Diamonds', price: 10 },
          { id: away.id, name: 'Away', price: 10 },
        ],
      },
      after: {
        created: 2,
        changed: 2,
        unchanged: 0,
        products: [
          { id: expect.any(String), name: 'Torches', price: 3 },
          { id: 'made-elsewhere', name: 'Torches', price: 3 },
          { id: sold.id, name: 'Diamonds', price: 99 },
          { id: away.id, name: 'Away', price: 3 },
        ],
      },
    },
  ]);
  expect(JSON.stringify(audits)).not.toContain('hunter2');
  expect((await take(text)).created).toBe(1);
});

const draftJson = () => {
  const { clusterIds: _clusters, serverIds: _servers, ...draft } = draftOf();
  return draft;
};

// Guarantee: a file with any fault changes nothing; each fault is reported with its line and its path.
test('a file that is half right', async () => {
  const product = await store.newProduct();
  const before = await countAll();
  const text = [
    '{ "format": "castellan-catalogue", "version": 1, "products": [',
    JSON.stringify(entry()),
    ',',
    `{ "id": "${product.id}", "name": "A",`,
    '  "price": 1, "game": "minecraft", "servers": ["mc", "Nowhere"],',
    '  "clusters": ["No cluster"],',
    '  "limits": { "saleFrom": "2026-02-01T00:00:00Z",',
    '    "saleUntil": "2026-01-01T00:00:00Z" },',
    '  "lines": [{ "kind": "item", "item": "minecraft:torch", "quantity": 1 },',
    '    { "kind": "item", "item": "not an id!", "quantity": 1 }],',
    '  "picture": "aGVsbG8="',
    '},',
    `${JSON.stringify(entry({ id: product.id, servers: ['ARK'] }))}]}`,
  ].join('\n');
  const dry = await take(text, true);
  expect(dry).toMatchObject({ created: 0, changed: 0, faultsTotal: 7 });
  expect(dry.faults.map(({ line, path }) => [line, path])).toEqual([
    [10, 'products.1.lines.1'],
    [8, 'products.1.limits.saleUntil'],
    [11, 'products.1.picture'],
    [6, 'products.1.clusters.0'],
    [5, 'products.1.servers.1'],
    [13, 'products.2.id'],
    [13, 'products.2.servers.0'],
  ]);
  const { status, json } = await send(text);
  expect([status, json.code, json.errors]).toEqual([400, 'INVALID_REQUEST', dry.faults]);
  expect(await countAll()).toEqual(before);
});

// Guarantee: a file that is not of this version is refused in words, with the line, before any product is checked.
test.each([
  ['{}', 1, 'This is not a product file: its format must be “castellan-catalogue”.'],
  ['[1]', 1, 'This is not a product file: its format must be “castellan-catalogue”.'],
  ['null', 1, 'This is not a product file: its format must be “castellan-catalogue”.'],
  [
    '{\n"format": "castellan-catalogue",\n"version": 2, "products": [{"new": 1}]}',
    3,
    'This file has another version. Castellan accepts version 1.',
  ],
  ['{"format": "castellan-catalogue", "version": 1}', 1, 'A list of products belongs here.'],
  [fileOf([], { extra: 1 }), 5, 'This field does not exist.'],
  [fileOf([entry({ colour: 'red' })]), 16, 'This field does not exist.'],
  [fileOf([entry()]).slice(0, -6), 16, 'This is not valid JSON.'],
  [
    '{"__proto__": {"format": "castellan-catalogue"}}',
    1,
    'This is not a product file: its format must be “castellan-catalogue”.',
  ],
])('%j', async (text, line, message) => {
  const { faults } = await take(text, true);
  expect(faults[0]).toMatchObject({ line, message });
  expect(faults[0]?.reason).not.toBeNull();
  expect((await send(text)).status).toBe(400);
  expect(await countAll()).toMatchObject({ products: 0 });
});

// Guarantee: bytes that are not text, too many bytes and too many products are refused; the allowed maximum is accepted.
test('huge files', async () => {
  expect((await send(Buffer.from([0xff, 0xfe, 0x00]))).status).toBe(400);
  const { status, json } = await send(Buffer.alloc(mostImportBytes + 1));
  expect([status, json.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  const many = (count: number) =>
    fileOf(Array.from({ length: count }, (_, place) => entry({ id: `p${place}` })));
  expect((await take(many(5001), true)).faults).toMatchObject([
    { line: 4, message: 'The file has 5001 products; the limit is 5000.' },
  ]);
  expect(await take(many(5000))).toMatchObject({ created: 5000 });
  expect(await take(many(5000))).toMatchObject({ unchanged: 5000 });
  const faulty = fileOf(Array.from({ length: 5000 }, () => ({ name: 1 })));
  const { faults, faultsTotal } = await take(faulty, true);
  expect([faults.length, faultsTotal]).toEqual([100, 20_000]);
  expect((await parsed()).products).toHaveLength(5000);
}, 60_000);

// Guarantee: the same file sent many times concurrently creates each product once.
test('files at once', async () => {
  const text = fileOf(
    Array.from({ length: 20 }, (_, place) => entry({ id: `p${place}`, name: `P ${place}` })),
  );
  const answers = await Promise.all(Array.from({ length: 6 }, () => take(text)));
  expect(answers.map(({ created }) => created).sort()).toEqual([0, 0, 0, 0, 0, 20]);
  expect(await countAll()).toMatchObject({ products: 20, versions: 20 });
});

// Guarantee: a server that is no longer in use never widens where a product is given.
test('a server that is gone', async () => {
  await store.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port) values ('old', 'c', 'Old', 'old', 'minecraft', 1)`,
  );
  await store.newProduct({ serverIds: ['old'] });
  await store.query(`update game_servers set archived_at = now() where id = 'old'`);
  const { faults } = await take(await exported(), true);
  expect(faults).toMatchObject([
    { path: 'products.0.servers.0', message: 'This game has no active server “old”.' },
  ]);
});

// Guarantee: short codes are imported, may be swapped within a file, are derived if the file has none, and never belong to two products.
test('short codes', async () => {
  const [axe, bow] = [await store.newProduct({ name: 'Axe' }), await store.newProduct({ name: 'Bow' })];
  const { products, ...head } = await parsed();
  const [first = {}, second = {}] = products;
  expect([first.shortCode, second.shortCode]).toEqual(['AXE', 'BOW']);
  const swapped = [
    { ...first, shortCode: 'BOW' },
    { ...second, shortCode: 'AXE' },
    entry({ name: 'Axe' }),
    entry({ name: 'Axe', shortCode: 'hatchet' }),
  ];
  expect(await take(JSON.stringify({ ...head, products: swapped }))).toMatchObject({
    created: 2,
    changed: 2,
  });
  const codes = await store.query('select short_code as code from products order by 1');
  expect(codes.map((row) => (row as { code: string }).code)).toEqual(['AXE', 'AXE2', 'BOW', 'HATCHET']);
  expect([await store.catalogue.read(axe.id), await store.catalogue.read(bow.id)]).toMatchObject([
    { shortCode: 'BOW' },
    { shortCode: 'AXE' },
  ]);
  const taken = fileOf([entry({ shortCode: 'BOW' }), entry({ shortCode: 'N2' }), entry({ shortCode: 'N2' })]);
  expect((await take(taken, true)).faults.map(({ path }) => path)).toEqual([
    'products.0.shortCode',
    'products.2.shortCode',
  ]);
});

// Guarantee: bundles and schedules survive export and import; a file that would put a bundle into a bundle, or overlap
// prices, is refused as a whole, with the line of the fault.
test('bundles and schedules', async () => {
  const priceSchedule = [{ from: '2030-01-01T00:00:00.000Z', until: null, price: 1 }];
  const holding = (...ids: string[]) => ids.map((productId) => ({ kind: 'product', productId, quantity: 2 }));
  const made = await take(
    fileOf([
      entry({ id: 'kit', name: 'Kit', lines: holding('torches') }),
      entry({ id: 'torches', priceSchedule }),
    ]),
  );
  expect(made).toMatchObject({ created: 2, faults: [] });
  expect(granted(await store.catalogue.read('kit'))).toMatchObject({
    notes: [],
    notForSale: 'It is turned off.',
  });
  expect(granted(await store.catalogue.read('torches'))).toMatchObject({ priceSchedule });
  expect(await take(await exported())).toMatchObject({ created: 0, changed: 0, faults: [] });
  const before = await countAll();
  const refused = await send(
    fileOf([
      entry({ id: 'torches', lines: holding('kit') }),
      entry({ name: 'Two prices', priceSchedule: [...priceSchedule, ...priceSchedule] }),
      entry({ name: 'Lost', lines: holding('nowhere') }),
    ]),
  );
  const faults = refused.json.errors as { path: string; message: string }[];
  expect(faults.map(({ path, message }) => [path, message])).toEqual([
    ['products.1.priceSchedule', 'Prices 1 and 2 of the schedule overlap.'],
    ['products.0.lines.0', 'The product is a bundle, and bundles cannot contain bundles.'],
    [
      'products.0.lines',
      'The bundle “Kit” contains this product, so it cannot become a bundle or change its game.',
    ],
    ['products.2.lines.0', 'This product does not exist.'],
  ]);
  expect(await countAll()).toEqual(before);
});
