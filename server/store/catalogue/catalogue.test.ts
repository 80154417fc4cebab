import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Product } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { call } from '../../kernel/testing/call.ts';
import type { FeatureApi } from '../../kernel/testing/feature-api.ts';
import {
  byOwner,
  draftOf,
  granted,
  orderOf,
  type StoreOfATest,
  storeOfATest,
} from '../orders/testing/store-of-a-test.ts';
import { holdProduct } from './hold-product.ts';
import { type CatalogueOfATest, catalogueOfATest } from './testing/catalogue-of-a-test.ts';

let catalogue: CatalogueOfATest;
let store: StoreOfATest;
let api: FeatureApi;
beforeAll(async () => {
  catalogue = await catalogueOfATest();
  ({ store, api } = catalogue);
});
afterAll(() => catalogue[Symbol.asyncDispose]());

// Guarantee: every save creates a permanent version; a save from an older one is refused and changes nothing.
test('versions', async () => {
  const made = await store.newProduct({ name: 'First', stock: 5 });
  expect(made).toMatchObject({ version: 1, notForSale: null, stock: 5 });
  const changed = granted(
    await store.catalogue.change(made.id, { ...draftOf({ name: 'Second', price: 20 }), version: 1 }, byOwner),
  );
  expect(changed).toMatchObject({ version: 2, name: 'Second', price: 20 });
  expect(
    await store.catalogue.change(made.id, { ...draftOf({ name: 'Third' }), version: 1 }, byOwner),
  ).toMatchObject({ refused: 'CONFLICT' });
  expect(await store.catalogue.change('none', { ...draftOf(), version: 1 }, byOwner)).toMatchObject({
    refused: 'NOT_FOUND',
  });
  const put = granted(await store.catalogue.archive(made.id, { version: 2, archived: true }, byOwner));
  expect(put).toMatchObject({ version: 3, name: 'Second', notForSale: 'It is archived.' });
  const listed = async (archived: boolean) =>
    (await store.catalogue.list({ archived, limit: 500 })).rows.map(({ id }) => id);
  expect(await listed(false)).not.toContain(made.id);
  expect(await listed(true)).toEqual([made.id]);
  expect(
    await store.query('select version, name from product_versions where product_id = $1 order by 1', [
      made.id,
    ]),
  ).toEqual([
    { version: 1, name: 'First' },
    { version: 2, name: 'Second' },
    { version: 3, name: 'Second' },
  ]);
  const audit = await store.query<{ action: string }>(
    'select action from audit_logs where target = $1 order by id',
    [`product:${made.id}`],
  );
  expect(audit.map(({ action }) => action)).toEqual([
    'products.create',
    'products.change',
    'products.archive',
  ]);
});

// Guarantee: page by page, every product comes once, by category and name, even if names are equal.
test('pages of products', async () => {
  await using other = await storeOfATest();
  const made = [];
  for (const [name, category] of [
    ['Axe', 'Tools'],
    ['Axe', 'Tools'],
    ['Zebra', 'Animals'],
    ['Ärmel', ''],
    ['Bread', 'Food'],
  ] as const)
    made.push(await other.newProduct({ name, category }));
  const pages = async (archived: boolean) => {
    const seen: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await other.catalogue.list({ archived, cursor, limit: 2 });
      seen.push(page.rows.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return seen;
  };
  const [one, two, zebra, sleeve, bread] = made.map(({ id }) => id);
  expect((await pages(false)).map(({ length }) => length)).toEqual([2, 2, 1]);
  expect((await pages(false)).flat()).toEqual([sleeve, zebra, bread, ...[one ?? '', two ?? ''].toSorted()]);
  expect(await pages(true)).toEqual([[]]);
  const answer = await ask(api.port, '/api/store/products?cursor=none');
  expect([answer.status, answer.json.code]).toEqual([400, 'INVALID_REQUEST']);
  await store.newProduct();
  await store.newProduct();
  const first = await ask(api.port, '/api/store/products?limit=1');
  expect(storeHttp.products.response.parse(first.json)).toMatchObject({
    rows: [{}],
    nextCursor: expect.any(String),
  });
});

// Guarantee: stock that is sold while a form is open stays sold when the form is saved.
test('stock that is sold while the product is edited', async () => {
  const made = await store.newProduct({ stock: 5 });
  await store.query('update products set stock = 2 where id = $1', [made.id]);
  const save = (version: number, stock: number | null, stockWas?: number | null) =>
    store.catalogue.change(made.id, { ...draftOf({ stock }), version, stockWas }, byOwner);
  expect(granted(await save(1, 5, 5)).stock).toBe(2);
  expect(granted(await save(2, 15, 5)).stock).toBe(12);
  expect(granted(await save(3, 0, 20)).stock).toBe(0);
  expect(granted(await save(4, 7)).stock).toBe(7);
  expect(granted(await save(5, null, 7)).stock).toBeNull();
});

// Guarantee: a product names only servers and clusters in use that have its game, and lines that the game can be given.
test('products that are not possible', async () => {
  await store.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port, archived_at)
     values ('old', 'c', 'Old', 'old', 'minecraft', 1, now())`,
  );
  await store.query(`insert into clusters (id, name, name_key, description) values ('empty', 'E', 'e', '')`);
  const cases = [
    { serverIds: ['ark'] },
    { serverIds: ['mc', 'old'] },
    { serverIds: ['none'] },
    { clusterIds: ['empty'] },
    {
      game: 'seven-days-to-die',
      clusterIds: ['c'],
      lines: [{ kind: 'item', item: 'drinkJarBeer', quantity: 1 }],
    },
    { lines: [{ kind: 'item', item: 'two words', quantity: 1 }] },
    { lines: [{ kind: 'item', item: 'minecraft:dirt', quantity: 1, quality: 3 }] },
    { lines: [{ kind: 'command', command: '{player} says' }] },
    { limits: { saleFrom: '2027-01-01T00:00:00Z', saleUntil: '2026-01-01T00:00:00Z' } },
  ] as const;
  const before = await store.query('select id from products');
  for (const [index, draft] of cases.entries()) {
    const answer = await store.catalogue.create(draftOf(draft as Parameters<typeof draftOf>[0]), byOwner);
    expect([index, answer]).toEqual([index, expect.objectContaining({ refused: 'PRODUCT_INVALID' })]);
  }
  expect(await store.query('select id from products')).toEqual(before);
  expect(await store.newProduct({ clusterIds: ['c'], serverIds: ['mc'] })).toMatchObject({
    notForSale: null,
  });
});

// Guarantee: invalid numbers of points or pieces never reach a product.
test.each([
  { price: -1 },
  { price: 0.5 },
  { price: 1e12 },
  { stock: -1 },
  { stock: 1.5 },
  { lines: [{ kind: 'item', item: 'dirt', quantity: 0 }] },
  { lines: [{ kind: 'item', item: 'dirt', quantity: 1.5 }] },
  { lines: [{ kind: 'item', item: 'dirt\nop me', quantity: 1 }] },
  { lines: [{ kind: 'command', command: 'say {secret}' }] },
  { lines: [] },
  { description: 'half of a character \ud800' },
  { category: 'two\nlines' },
])('a draft with %j', async (fault) => {
  const body = {
    name: 'X',
    price: 1,
    game: 'minecraft',
    lines: [{ kind: 'item', item: 'dirt', quantity: 1 }],
    ...fault,
  };
  const answer = await call(api.port, storeHttp.create, { body: body as never });
  expect([answer.status, answer.json.code]).toEqual([400, 'INVALID_REQUEST']);
});

// Guarantee: a product without any remaining server is not sold.
test('a product whose server was archived', async () => {
  await store.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port) values ('gone', 'c', 'G', 'g', 'minecraft', 1)`,
  );
  const made = await store.newProduct({ serverIds: ['gone'] });
  expect(made.notForSale).toBeNull();
  await store.query(`update game_servers set archived_at = now() where id = 'gone'`);
  expect(granted(await store.catalogue.read(made.id)).notForSale).toBe('No active server can deliver it.');
});

// Guarantee: ARK's items sell only after a person has seen one arrive from a test delivery.
test('an item of ARK is tried, seen and sold', async () => {
  const item = "Blueprint'/Game/Mods/Cake/PrimalItem_Cake.PrimalItem_Cake'";
  const member = await store.newMember(100, 'ark-se');
  const product = await store.newProduct({ game: 'ark-se', lines: [{ kind: 'item', item, quantity: 1 }] });
  expect(product.notes).toMatchObject([{ position: 0, kind: 'unconfirmed-item' }]);
  const lines = [{ productId: product.id }];
  const test = granted(
    await store.orders.place(orderOf({ memberId: member, lines, isTest: true }), null, byOwner),
  );
  const [deliveryId = ''] = test.deliveries.map(({ id }) => id);
  const confirm = (isSeen: boolean) => store.catalogue.items.confirm({ deliveryId, isSeen }, byOwner);
  expect(await confirm(true)).toMatchObject({ refused: 'NOT_FOUND' });
  await store.setState([deliveryId], 'delivered');
  expect(await confirm(true)).toEqual({ game: 'ark-se', item, isConfirmed: true });
  expect(granted(await store.catalogue.read(product.id))).toMatchObject({
    notForSale: null,
    notes: [{ kind: 'unknown-item' }],
  });
  const bought = granted(await store.orders.place(orderOf({ memberId: member, lines }), null, byOwner));
  const [paid = ''] = bought.deliveries.map(({ id }) => id);
  await store.setState([paid], 'delivered');
  expect(await store.catalogue.items.confirm({ deliveryId: paid, isSeen: true }, byOwner)).toMatchObject({
    refused: 'NOT_FOUND',
  });
  expect(await confirm(false)).toMatchObject({ isConfirmed: false });
  expect(granted(await store.catalogue.read(product.id)).notForSale).toMatch(
    /The game does not report missing items/,
  );
});

// Guarantee: a built-in item is known however its id is spelled, sells in ARK without a test, and is found by its name.
test('items that ship', async () => {
  const { items } = store.catalogue;
  for (const item of ['diamond', 'minecraft:diamond', 'diamond[custom_name="x"]'])
    expect((await store.newProduct({ lines: [{ kind: 'item', item, quantity: 1 }] })).notes).toEqual([]);
  const unknown = await store.newProduct({ lines: [{ kind: 'item', item: 'mod:diamond', quantity: 1 }] });
  expect(unknown).toMatchObject({ notForSale: null, notes: [{ kind: 'unknown-item' }] });
  const { rows } = await items.search({ game: 'ark-se', text: 'angler gel', limit: 1 });
  const [gel] = rows;
  expect(gel).toMatchObject({ name: 'Angler Gel', source: 'shipped', isConfirmed: true });
  const path = gel?.id.split("'")[1] ?? '';
  for (const item of [gel?.id ?? '', path, `"Blueprint'${path}'"`]) {
    const sold = await store.newProduct({ game: 'ark-se', lines: [{ kind: 'item', item, quantity: 1 }] });
    expect(sold).toMatchObject({ notForSale: null, notes: [] });
  }
  expect(await items.add({ game: 'minecraft', id: 'diamond', name: 'Mine' }, byOwner)).toMatchObject({
    refused: 'PRODUCT_INVALID',
  });
});

// Guarantee: a community's own items are found together with built-in ones, the best match first, and can be renamed and removed.
test('the list of items', async () => {
  const { items } = store.catalogue;
  const add = (id: string, name: string) => items.add({ game: 'seven-days-to-die', id, name }, byOwner);
  granted(await add('zzCake', 'Birthday'));
  granted(await add('zzCakeStand', 'Stand'));
  granted(await add('myzzCake', 'Mine'));
  granted(await add('zzCake', 'Birthday cake'));
  expect(await add('two words', 'X')).toMatchObject({ refused: 'PRODUCT_INVALID' });
  const found = await items.search({ game: 'seven-days-to-die', text: 'ZZCAKE', limit: 2 });
  expect(found).toMatchObject({
    total: 3,
    rows: [{ id: 'zzCake', name: 'Birthday cake', source: 'own' }, { id: 'zzCakeStand' }],
  });
  granted(await items.remove({ game: 'seven-days-to-die', id: 'zzCake' }, byOwner));
  expect(await items.remove({ game: 'seven-days-to-die', id: 'zzCake' }, byOwner)).toMatchObject({
    refused: 'NOT_FOUND',
  });
});

// Guarantee: a product that stopped selling by itself sells again once a person has released it.
test('a held product is released', async () => {
  const made = await store.newProduct();
  await holdProduct(
    store.database.db,
    { productId: made.id, version: 1, item: 'minecraft:diamond' },
    'The game knows no such item.',
    new Date(),
  );
  await holdProduct(
    store.database.db,
    { productId: made.id, version: 1, item: 'minecraft:diamond' },
    'again',
    new Date(),
  );
  const held = granted(await store.catalogue.read(made.id));
  expect(held).toMatchObject({
    heldReason: 'The game knows no such item.',
    notForSale: 'Paused automatically: The game knows no such item.',
  });
  expect(granted(await store.catalogue.release(made.id, 1, byOwner))).toMatchObject({
    heldAt: null,
    notForSale: null,
  });
});

// Guarantee: over HTTP, a picture is kept unaltered and returned with its type; something that is not a picture changes nothing.
test('a picture over HTTP', async () => {
  const made = await store.newProduct();
  const params = { id: made.id };
  const picture =
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR4AWL6z8DwH4aZGJAAAAAA//+GpNPhAAAABklEQVQDAHTzBf+1yIrkAAAAAElFTkSuQmCC';
  const set = (version: number, content: string | null) =>
    call(api.port, storeHttp.setPicture, { params, body: { version, picture: content } });
  const taken = (await set(1, picture)).json as unknown as Product;
  expect(taken).toMatchObject({ version: 2, picture: { mediaType: 'image/png', width: 3, height: 2 } });
  const fake = await set(2, Buffer.from('<html>').toString('base64'));
  expect([fake.status, fake.json.code]).toEqual([422, 'PICTURE_INVALID']);
  expect((await call(api.port, storeHttp.picture, { params })).json).toEqual({
    mediaType: 'image/png',
    picture,
  });
  expect((await set(2, null)).json).toMatchObject({ version: 3, picture: null });
  expect((await call(api.port, storeHttp.picture, { params })).status).toBe(404);
});

// Guarantee: passwords in command lines are in no audit row.
test('a command with a password', async () => {
  const made = await store.newProduct({
    game: 'ark-se',
    lines: [{ kind: 'command', command: 'EnableCheats hunter2' }],
  });
  expect(made.lines).toMatchObject([{ command: 'EnableCheats hunter2' }]);
  const audit = await store.query('select before, after from audit_logs where target = $1', [
    `product:${made.id}`,
  ]);
  expect(JSON.stringify(audit)).not.toContain('hunter2');
});
