import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { catalogueTransferHttp, mostImportedProducts } from '#contracts/store/catalogue-transfer.ts';
import { mostPictureBytes } from '#contracts/store/store-http.ts';
import { ask } from '../../../kernel/testing/ask.ts';
import type { FeatureApi } from '../../../kernel/testing/feature-api.ts';
import type { StoreOfATest } from '../../orders/testing/store-of-a-test.ts';
import { type CatalogueOfATest, catalogueOfATest } from '../testing/catalogue-of-a-test.ts';

let catalogue: CatalogueOfATest;
let store: StoreOfATest;
let api: FeatureApi;
beforeAll(async () => {
  catalogue = await catalogueOfATest();
  ({ store, api } = catalogue);
});
afterAll(() => catalogue[Symbol.asyncDispose]());
beforeEach(() => catalogue.clear());

const chunkOf = (type: string, data: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};
/** A PNG of 1 × 1 pixel that is as large as a picture may be, through data that no one draws. */
const largestPicture = (): Buffer => {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const drawn = [signature, chunkOf('IHDR', header), chunkOf('IDAT', Buffer.alloc(10))];
  const end = chunkOf('IEND', Buffer.alloc(0));
  const used = [...drawn, end].reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([...drawn, chunkOf('IDAT', Buffer.alloc(mostPictureBytes - used - 12, 1)), end]);
};

/** Copies of one product, each with the largest picture if asked. */
const fill = async (count: number, withPictures: boolean) => {
  const { id } = await store.newProduct();
  await store.query(
    `insert into products (id, is_enabled, position, short_code)
       select 'p' || number, true, number, 'P' || number from generate_series(2, $1::int) as number`,
    [count],
  );
  await store.query(
    `insert into product_versions
       select (jsonb_populate_record(sold, jsonb_build_object('product_id', products.id))).*
         from product_versions as sold cross join products where sold.product_id = $1 and products.id <> $1`,
    [id],
  );
  if (!withPictures) return;
  await store.query(
    `insert into product_pictures (product_id, media_type, width, height, bytes, sha256)
       select id, 'image/png', 1, 1, $1, encode(sha256($1), 'hex') from products`,
    [largestPicture()],
  );
};

const exported = (pictures: boolean) =>
  ask(api.port, `${catalogueTransferHttp.export.path}?pictures=${pictures}`);
const take = (text: string) =>
  ask(api.port, catalogueTransferHttp.import.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: text,
  });

// Guarantee: what was exported can be imported, however large its pictures are.
test('a catalogue with large pictures', { timeout: 60_000 }, async () => {
  await fill(30, true);
  const file = await exported(true);
  expect([file.status, file.text.length > 20 * 1024 * 1024]).toEqual([200, true]);
  const back = await take(file.text);
  expect([back.status, back.json]).toMatchObject([200, { created: 0, changed: 0, unchanged: 30 }]);
});

// Guarantee: what an import would not accept is not exported, and the response says what to do; without pictures it is exported.
test('pictures that are too many', { timeout: 60_000 }, async () => {
  await fill(100, true);
  const refused = await exported(true);
  expect([refused.status, refused.json.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(refused.json.detail).toBe(
    'The file would have 67 MB; an import accepts 64. Export without pictures, or use smaller ones.',
  );
  const file = await exported(false);
  expect((await take(file.text)).json).toMatchObject({ unchanged: 100 });
});

test('products that are too many', { timeout: 60_000 }, async () => {
  await fill(mostImportedProducts + 1, false);
  const refused = await exported(false);
  expect([refused.status, refused.json.detail]).toEqual([
    400,
    'The store has 5001 products; an import accepts 5000.',
  ]);
});
