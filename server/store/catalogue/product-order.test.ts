import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { storeHttp } from '#contracts/store/store-http.ts';
import { call } from '../../kernel/testing/call.ts';
import type { FeatureApi } from '../../kernel/testing/feature-api.ts';
import { byOwner, draftOf, granted, type StoreOfATest } from '../orders/testing/store-of-a-test.ts';
import { readForSale } from '../sold-products.ts';
import { type CatalogueOfATest, catalogueOfATest } from './testing/catalogue-of-a-test.ts';

let catalogue: CatalogueOfATest;
let store: StoreOfATest;
let api: FeatureApi;
beforeAll(async () => {
  catalogue = await catalogueOfATest();
  ({ store, api } = catalogue);
});
afterAll(() => catalogue[Symbol.asyncDispose]());
beforeEach(() => catalogue.clear());

const order = (category: string, ids: readonly string[]) =>
  call(api.port, storeHttp.order, { body: { category, ids: [...ids] } });
const newOnes = (...names: string[]) =>
  Promise.all(names.map(async (name) => (await store.newProduct({ name, category: 'Tools' })).id));
const named = async () =>
  (await store.catalogue.list({ archived: false, limit: 500 })).rows.map(({ name }) => name);

// Guarantee: the list, its pages and what is for sale follow the order that staff gave; new products come last, by name.
test('products stand as they were put', async () => {
  const [a = '', b = '', c = ''] = await newOnes('A', 'B', 'C');
  await store.newProduct({ name: 'First of all' });
  expect((await order('Tools', [c, a, b])).status).toBe(200);
  await newOnes('Aardvark', 'Zebra');
  const expected = ['First of all', 'C', 'A', 'B', 'Aardvark', 'Zebra'];
  expect(await named()).toEqual(expected);
  expect((await readForSale(store.context)).map(({ name }) => name)).toEqual(expected);
  const paged: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.catalogue.list({ archived: false, limit: 1, cursor });
    paged.push(...page.rows.map(({ name }) => name));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(expected);
  expect((await store.catalogue.read(a)) as object).toMatchObject({ version: 1 });
  const audits = await store.query(
    `select before, after from audit_logs where action = 'products.order' order by id desc limit 1`,
  );
  expect(audits).toEqual([
    { before: { category: 'Tools', ids: [a, b, c] }, after: { category: 'Tools', ids: [c, a, b] } },
  ]);
});

// Guarantee: a list that does not match the current category is refused and moves nothing.
test('a list that was read too long ago', async () => {
  const [a = '', b = '', c = ''] = await newOnes('A', 'B', 'C');
  const { id: other } = await store.newProduct({ name: 'Other' });
  granted(await store.catalogue.archive(c, { version: 1, archived: true }, byOwner));
  for (const ids of [[a], [b, a, c], [b, a, other], [b, a, 'none'], [b, b], [b, a, a]]) {
    const { status, json } = await order('Tools', ids);
    expect([ids, status, json.code]).toEqual([ids, 409, 'CONFLICT']);
  }
  expect((await order('Nothing', [a])).status).toBe(409);
  expect((await order('Tools', [])).status).toBe(400);
  expect(await named()).toEqual(['Other', 'A', 'B']);
  expect((await order('Tools', [b, a])).status).toBe(200);
});

// Guarantee: of many concurrent reorderings, one holds as a whole.
test('orders at once', async () => {
  const ids = await newOnes('A', 'B', 'C', 'D');
  const wanted = ids.map((_, turn) => [...ids.slice(turn), ...ids.slice(0, turn)]);
  const answers = await Promise.all(wanted.map((each) => order('Tools', each)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const now = (await store.catalogue.list({ archived: false, limit: 9 })).rows.map(({ id }) => id);
  expect(wanted).toContainEqual(now);
});

// Guarantee: a product that changes its category loses its place, and a save within one keeps it.
test('another category', async () => {
  const [a = '', b = ''] = await newOnes('A', 'B');
  await order('Tools', [b, a]);
  granted(
    await store.catalogue.change(
      b,
      { ...draftOf({ name: 'B', category: 'Tools', price: 1 }), version: 1 },
      byOwner,
    ),
  );
  expect(await named()).toEqual(['B', 'A']);
  granted(
    await store.catalogue.change(b, { ...draftOf({ name: 'B', category: 'Weapons' }), version: 2 }, byOwner),
  );
  granted(
    await store.catalogue.change(b, { ...draftOf({ name: 'B', category: 'Tools' }), version: 3 }, byOwner),
  );
  expect(await named()).toEqual(['A', 'B']);
});

// Guarantee: a copy has everything that the product has except its sale, and a long name is cut to fit.
test('a product is duplicated', async () => {
  const name = 'x'.repeat(80);
  const source = await store.newProduct({
    name,
    category: 'Tools',
    stock: 3,
    limits: { perMember: 1 },
    serverIds: ['mc'],
  });
  const picture =
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR4AWL6z8DwH4aZGJAAAAAA//+GpNPhAAAABklEQVQDAHTzBf+1yIrkAAAAAElFTkSuQmCC';
  granted(await store.catalogue.setPicture(source.id, { version: 1, picture }, byOwner));
  const copy = async (id: string, body: { name?: string } = {}) =>
    call(api.port, storeHttp.duplicate, { params: { id }, body });
  const { json } = await copy(source.id);
  expect(json).toMatchObject({
    name: `${'x'.repeat(73)} (copy)`,
    version: 1,
    isEnabled: false,
    category: 'Tools',
    stock: 3,
    limits: { perMember: 1 },
    serverIds: ['mc'],
    lines: source.lines,
    picture: { mediaType: 'image/png', width: 3 },
  });
  expect(json.id).not.toBe(source.id);
  expect((await copy(source.id, { name: 'Cópia' })).json).toMatchObject({ name: 'Cópia' });
  expect((await copy('none')).status).toBe(404);
  expect(await store.catalogue.read(source.id)).toMatchObject({ isEnabled: true, version: 2 });
});
