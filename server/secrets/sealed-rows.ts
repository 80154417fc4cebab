import { type QueryExecutorProvider, sql } from 'kysely';
import type { SealedColumn } from './sealed-column.ts';

export interface SealedRow {
  readonly key: readonly string[];
  readonly sealed: string;
}

export interface SealedRowsQuery {
  /** The key of the last row that was seen; null at the beginning. */
  readonly after: readonly string[] | null;
  readonly limit: number;
  /** Only what names one of these keys. */
  readonly keyIds?: readonly string[];
}

/** Which key a sealed text names, said in SQL. */
const namedKey = ({ column }: SealedColumn) => sql`split_part(${sql.ref(column)}, '.', 2)`;

/** The next rows of a sealed column, in the order of the table's key. */
export const readSealedRows = async (
  db: QueryExecutorProvider,
  column: SealedColumn,
  { after, limit, keyIds }: SealedRowsQuery,
): Promise<readonly SealedRow[]> => {
  const key = sql.join(column.key.map((name) => sql.ref(name)));
  const beyond = after ? sql`and (${key}) > (${sql.join(after)})` : sql``;
  const named = keyIds ? sql`and ${namedKey(column)} = any(${keyIds})` : sql``;
  const { rows } = await sql<SealedRow>`
    select array[${key}] as key, ${sql.ref(column.column)} as sealed
      from ${sql.table(column.table)}
     where ${sql.ref(column.column)} is not null ${beyond} ${named}
     order by ${key}
     limit ${limit}`.execute(db);
  return rows;
};

export const countSealedRows = async (
  db: QueryExecutorProvider,
  column: SealedColumn,
  keyIds: readonly string[],
): Promise<number> => {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from ${sql.table(column.table)}
     where ${sql.ref(column.column)} is not null and ${namedKey(column)} = any(${keyIds})`.execute(db);
  return Number(rows[0]?.count ?? 0);
};

/** Puts another sealed text in the place of one. A save that came in between wins. @returns whether it was replaced */
export const replaceSealed = async (
  db: QueryExecutorProvider,
  { table, key, column }: SealedColumn,
  row: SealedRow,
  sealed: string,
): Promise<boolean> => {
  const ofRow = sql.join(
    key.map((name, index) => sql`${sql.ref(name)} = ${row.key[index]}`),
    sql` and `,
  );
  const result = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
     where ${ofRow} and ${sql.ref(column)} = ${row.sealed}`.execute(db);
  return result.numAffectedRows === 1n;
};
