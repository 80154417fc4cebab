import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import { catalogueFormat, catalogueVersion, type TransferredProduct } from '#contracts/catalogue-transfer.ts';
import type { Tables } from '../../database/tables.ts';
import { readProductPage, type StoredProduct } from '../product-rows.ts';

/** Few enough that their pictures fit memory. */
const productsPerRead = 50;

/** All products in use, in the order of the store, as they are read: neither a connection nor a snapshot is held. */
export const exportCatalogue = async (
  db: Kysely<Tables>,
  { pictures }: { readonly pictures: boolean },
): Promise<Readable> => {
  const namesOf = async (table: 'clusters' | 'game_servers'): Promise<ReadonlyMap<string, string>> => {
    const rows = await db.selectFrom(table).select(['id', 'name']).where('archived_at', 'is', null).execute();
    return new Map(rows.map(({ id, name }) => [id, name]));
  };
  const names = { clusters: await namesOf('clusters'), servers: await namesOf('game_servers') };
  const read = async (cursor: string | undefined) => {
    const page = await readProductPage(db, { archived: false, cursor, limit: productsPerRead });
    const found = pictures ? await readPictures(db, page.rows) : null;
    const entries = page.rows.map((product) => toTransferred(product, names, found));
    return { entries, nextCursor: page.nextCursor };
  };
  // What the database refuses is still answered as a problem.
  const first = await read(undefined);
  const chunks = async function* () {
    yield `{\n  "format": "${catalogueFormat}",\n  "version": ${catalogueVersion},\n  "products": [`;
    let separator = '\n';
    for (let page = first; ; page = await read(page.nextCursor ?? undefined)) {
      for (const entry of page.entries) {
        yield `${separator}    ${JSON.stringify(entry, null, 2).replaceAll('\n', '\n    ')}`;
        separator = ',\n';
      }
      if (page.nextCursor === null) break;
    }
    yield '\n  ]\n}\n';
  };
  return Readable.from(chunks(), { objectMode: false });
};

const readPictures = async (
  db: Kysely<Tables>,
  products: readonly StoredProduct[],
): Promise<ReadonlyMap<string, string>> => {
  const ids = products.flatMap(({ id, picture }) => (picture ? [id] : []));
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('product_pictures')
    .select(['product_id', 'bytes'])
    .where('product_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ product_id, bytes }) => [product_id, bytes.toString('base64')]));
};

const toTransferred = (
  product: StoredProduct,
  names: Readonly<Record<'clusters' | 'servers', ReadonlyMap<string, string>>>,
  pictures: ReadonlyMap<string, string> | null,
): TransferredProduct => {
  const {
    id,
    name,
    description,
    category,
    position,
    basePrice,
    priceSchedule,
    game,
    lines,
    limits,
    stock,
    isEnabled,
    shortCode,
    onWipe,
    regrantMost,
  } = product;
  const named = (kind: 'clusters' | 'servers', ids: readonly string[]) =>
    // One that is not in use any more keeps its id, which an import refuses: without it, the product would be sold everywhere.
    ids.map((one) => names[kind].get(one) ?? one);
  return {
    id,
    name,
    description,
    category,
    position,
    price: basePrice,
    priceSchedule: [...priceSchedule],
    game,
    clusters: named('clusters', product.clusterIds),
    servers: named('servers', product.serverIds),
    lines: [...lines],
    limits,
    stock,
    isEnabled,
    shortCode,
    onWipe,
    regrantMost,
    ...(pictures && { picture: pictures.get(id) ?? null }),
  };
};
