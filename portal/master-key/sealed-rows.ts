import { type QueryExecutorProvider, sql } from 'kysely';
import type { SealedColumn } from './sealed-column.ts';

export interface SealedRow {
  readonly key: string;
  readonly sealed: string;
}

/** Which key a sealed text names, said in SQL. */
const namedKey = ({ column }: SealedColumn) => sql`split_part(${sql.ref(column)}, '.', 2)`;

/** What is not sealed with the key `keyId`, in the order of the table's key; the rows stay locked until the transaction ends. */
export const lockRowsOfOtherKeys = async (
  db: QueryExecutorProvider,
  column: SealedColumn,
  { keyId, after, limit }: { readonly keyId: string; readonly after: string | null; readonly limit: number },
): Promise<readonly SealedRow[]> => {
  const key = sql.ref(column.key);
  const beyond = after === null ? sql`` : sql`and ${key} > ${after}`;
  const { rows } = await sql<{ row_key: string; sealed: string }>`
    select ${key}::text as row_key, ${sql.ref(column.column)} as sealed
      from ${sql.table(column.table)}
     where ${sql.ref(column.column)} is not null ${beyond} and ${namedKey(column)} <> ${keyId}
     order by ${key}
     limit ${limit}
       for no key update`.execute(db);
  return rows.map(({ row_key, sealed }) => ({ key: row_key, sealed }));
};

export const countRowsOfOtherKeys = async (
  db: QueryExecutorProvider,
  column: SealedColumn,
  keyId: string,
): Promise<number> => {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from ${sql.table(column.table)}
     where ${sql.ref(column.column)} is not null and ${namedKey(column)} <> ${keyId}`.execute(db);
  return Number(rows[0]?.count ?? 0);
};

export const replaceSealed = async (
  db: QueryExecutorProvider,
  { table, key, keyType, column }: SealedColumn,
  rows: readonly SealedRow[],
): Promise<void> => {
  await sql`
    update ${sql.table(table)} as target set ${sql.ref(column)} = fresh.sealed
      from unnest(${rows.map((row) => row.key)}::${sql.raw(keyType)}[], ${rows.map(({ sealed }) => sealed)}::text[])
        as fresh(row_key, sealed)
     where ${sql.ref(`target.${key}`)} = fresh.row_key`.execute(db);
};
