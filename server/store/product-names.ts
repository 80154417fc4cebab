import type { Kysely } from 'kysely';
import type { Tables } from '../kernel/database/tables.ts';

/** The names of products, archived ones too, by their ids. */
export const readProductNames = async (
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('products')
    .innerJoin('product_versions', (join) =>
      join
        .onRef('product_versions.product_id', '=', 'products.id')
        .onRef('product_versions.version', '=', 'products.version'),
    )
    .select(['products.id', 'product_versions.name'])
    .where('products.id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
};
