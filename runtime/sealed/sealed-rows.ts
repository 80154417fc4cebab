import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { SealedColumn } from './sealed-column.ts';

export interface SealedRow {
  readonly key: readonly string[];
  readonly sealed: string;
}

/** Selects rows by the key that their sealed text names. */
export type NamedKeys = { readonly oneOf: readonly string[] } | { readonly otherThan: string };

interface SealedRowsQuery {
  /** The key of the last row that was seen; null at the beginning. */
  readonly after: readonly string[] | null;
  readonly limit: number;
}

const namesKey = ({ column }: SealedColumn, keys: NamedKeys): RawBuilder<unknown> => {
  const named = sql`split_part(${sql.ref(column)}, '.', 2)`;
  return 'oneOf' in keys ? sql`${named} = any(${keys.oneOf})` : sql`${named} <> ${keys.otherThan}`;
};

const selectRows = ({ table, key, column }: SealedColumn, { after, limit }: SealedRowsQuery) => {
  const names = sql.join(key.map((name) => sql.ref(name)));
  const beyond = after ? sql`(${names}) > (${sql.join(after)})` : sql`true`;
  return (isWanted: RawBuilder<unknown>, lock: RawBuilder<unknown>) => sql<SealedRow>`
    select array[${names}] as key, ${sql.ref(column)} as sealed
      from ${sql.table(table)}
     where ${sql.ref(column)} is not null and ${beyond} and ${isWanted}
     order by ${names}
     limit ${limit} ${lock}`;
};

/** The next rows, in the order of the table's key. */
export const readSealedRows = async (
  db: QueryExecutorProvider,
  column: SealedColumn,
  query: SealedRowsQuery,
): Promise<readonly SealedRow[]> => (await selectRows(column, query)(sql`true`, sql``).execute(db)).rows;

/** The next rows that name one of the keys, in the order of the table's key, locked until the transaction ends. */
export const lockSealedRows = async (
  db: QueryExecutorProvider,
  column: SealedColumn,
  query: SealedRowsQuery & { readonly named: NamedKeys },
): Promise<readonly SealedRow[]> => {
  const lock = sql`for no key update`;
  return (await selectRows(column, query)(namesKey(column, query.named), lock).execute(db)).rows;
};

/** Counts over all columns together. */
export const countSealedRows = async (
  db: QueryExecutorProvider,
  columns: readonly SealedColumn[],
  named: NamedKeys,
): Promise<number> => {
  let sum = 0;
  for (const column of columns) {
    const { rows } = await sql<{ count: string }>`
      select count(*) as count from ${sql.table(column.table)}
       where ${sql.ref(column.column)} is not null and ${namesKey(column, named)}`.execute(db);
    sum += Number(rows[0]?.count ?? 0);
  }
  return sum;
};

/** The caller holds the locks of the rows. */
export const replaceSealed = async (
  db: QueryExecutorProvider,
  { table, key, column }: SealedColumn,
  rows: readonly SealedRow[],
): Promise<void> => {
  const keys = key.map((_name, index) => sql`${rows.map((row) => row.key[index])}::text[]`);
  const isSame = key.map((name) => sql`${sql.ref(`target.${name}`)} = ${sql.ref(`fresh.${name}`)}`);
  await sql`
    update ${sql.table(table)} as target set ${sql.ref(column)} = fresh.replacement
      from unnest(${sql.join(keys)}, ${rows.map(({ sealed }) => sealed)}::text[])
        as fresh(${sql.join(key.map((name) => sql.ref(name)))}, replacement)
     where ${sql.join(isSame, sql` and `)}`.execute(db);
};
