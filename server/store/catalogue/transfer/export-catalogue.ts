import { Readable } from 'node:stream';
import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import {
  catalogueFormat,
  catalogueVersion,
  mostImportBytes,
  mostImportedProducts,
  type TransferredProduct,
} from '#contracts/store/catalogue-transfer.ts';
import { Problem } from '#runtime/problem.ts';
import type { Tables } from '../../../kernel/database/tables.ts';
import { readProductPage, type StoredProduct } from '../product-rows.ts';

/** Few enough that their pictures fit in memory. */
const productsPerRead = 50;

/**
 * All products in use, in the order of the store, as they are read: it holds neither a connection nor a snapshot.
 * @throws {Problem} INVALID_REQUEST for what an import would not accept
 */
export const exportCatalogue = async (
  db: Kysely<Tables>,
  { pictures }: { readonly pictures: boolean },
): Promise<Readable> => {
  const namesOf = async (table: 'clusters' | 'game_servers'): Promise<ReadonlyMap<string, string>> => {
    const rows = await db.selectFrom(table).select(['id', 'name']).where('archived_at', 'is', null).execute();
    return new Map(rows.map(({ id, name }) => [id, name]));
  };
  const names = { clusters: await namesOf('clusters'), servers: await namesOf('game_servers') };
  const read = async (cursor: string | undefined, withPictures = pictures) => {
    const page = await readProductPage(db, { archived: false, cursor, limit: productsPerRead });
    const found = withPictures ? await readPictures(db, page.rows) : null;
    const entries = page.rows.map((product) => toTransferred(product, names, found));
    return { entries, nextCursor: page.nextCursor };
  };
  // What would break off the download later is still reported as a problem here.
  let [count, bytes] = [0, pictures ? await measurePictures(db) : 0];
  for (let cursor: string | undefined; ; ) {
    const { entries, nextCursor } = await read(cursor, false);
    count += entries.length;
    bytes += entries.reduce((sum, entry) => sum + Buffer.byteLength(textOf(entry)) + separatorBytes, 0);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  refuseTooLarge(count, bytes, pictures);
  const first = await read(undefined);
  const chunks = async function* () {
    yield `{\n  "format": "${catalogueFormat}",\n  "version": ${catalogueVersion},\n  "products": [`;
    let separator = '\n';
    for (let page = first; ; page = await read(page.nextCursor ?? undefined)) {
      for (const entry of page.entries) {
        yield `${separator}    ${textOf(entry)}`;
        separator = ',\n';
      }
      if (page.nextCursor === null) break;
    }
    yield '\n  ]\n}\n';
  };
  return Readable.from(chunks(), { objectMode: false });
};

const textOf = (entry: TransferredProduct): string =>
  JSON.stringify(entry, null, 2).replaceAll('\n', '\n    ');
/** An upper bound for what surrounds each product and its picture. */
const separatorBytes = 32;

/** Bytes of all pictures in base64. */
const measurePictures = async (db: Kysely<Tables>): Promise<number> => {
  const { rows } = await sql<{ readonly bytes: string }>`
    select coalesce(sum(4 * ceil(octet_length(bytes) / 3.0)), 0)::bigint as bytes
      from product_pictures join products on products.id = product_id
     where archived_at is null`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
};

const refuseTooLarge = (count: number, bytes: number, pictures: boolean): void => {
  const inMegabytes = (amount: number) => Math.ceil(amount / 1024 / 1024);
  const refuseBecause = (detail: string) => {
    throw new Problem('INVALID_REQUEST', { detail });
  };
  if (count > mostImportedProducts) refuseBecause(reasons['export-too-many'](count, mostImportedProducts));
  if (bytes > mostImportBytes) {
    const tooLarge = reasons[pictures ? 'export-too-large-pictures' : 'export-too-large'];
    refuseBecause(tooLarge(inMegabytes(bytes), inMegabytes(mostImportBytes)));
  }
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
    // One that is no longer in use keeps its id, which an import refuses: without it, the product would be sold everywhere.
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
