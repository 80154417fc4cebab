import type { Kysely, Transaction } from 'kysely';
import { type SecretBox, TamperedError, UnknownKeyError } from '../secret-box.ts';
import type { SealedColumn } from './sealed-column.ts';
import { lockSealedRows, type NamedKeys, replaceSealed, type SealedRow } from './sealed-rows.ts';

export interface ReencryptedBatch {
  readonly table: string;
  readonly done: number;
  /** Keys of the rows that none of the keys opens, or that are damaged; they are left unchanged. */
  readonly unreadable: readonly (readonly string[])[];
}

/**
 * Yields each batch once it is committed. If interrupted anywhere, everything still opens with the box's keys, and the next run
 * finds the remaining rows by the key that a secret names. Rows are locked in the order of their key, as every save locks them,
 * so that the two never deadlock; a save that came first wins and is not counted.
 */
export async function* reencrypt<Tables>(options: {
  readonly db: Kysely<Tables>;
  readonly box: SecretBox;
  readonly columns: readonly SealedColumn[];
  /** The rows to be sealed with the box's first key. */
  readonly named: NamedKeys;
  /** A batch is one transaction: its size limits what a kill can cost, and how long a save may wait for one of its rows. */
  readonly batchRows: number;
  /** Runs in the transaction of the batch. */
  readonly record?: (trx: Transaction<Tables>, batch: ReencryptedBatch) => Promise<void>;
}): AsyncGenerator<ReencryptedBatch, void, void> {
  const { db, box, columns, named, batchRows, record } = options;
  for (const column of columns) {
    let after: readonly string[] | null = null;
    for (;;) {
      const query = { after, limit: batchRows, named };
      const committed = await db.transaction().execute(async (trx) => {
        const rows = await lockSealedRows(trx, column, query);
        const last = rows.at(-1)?.key ?? null;
        if (last === null) return null;
        const { fresh, unreadable } = reseal(box, column, rows);
        if (fresh.length > 0) await replaceSealed(trx, column, fresh);
        const batch = { table: column.table, done: fresh.length, unreadable };
        await record?.(trx, batch);
        return { batch, last };
      });
      if (committed === null) break;
      yield committed.batch;
      after = committed.last;
    }
  }
}

const reseal = (box: SecretBox, column: SealedColumn, rows: readonly SealedRow[]) => {
  const fresh: SealedRow[] = [];
  const unreadable: SealedRow['key'][] = [];
  for (const { key, sealed } of rows) {
    const place = column.placeOf(...key);
    const plain = openOrNull(box, sealed, place);
    if (plain === null) unreadable.push(key);
    else fresh.push({ key, sealed: box.seal(plain, place) });
  }
  return { fresh, unreadable };
};

const openOrNull = (box: SecretBox, sealed: string, place: string): Buffer | null => {
  try {
    return box.open(sealed, place);
  } catch (error) {
    if (error instanceof UnknownKeyError || error instanceof TamperedError) return null;
    throw error;
  }
};
