import type { Kysely } from 'kysely';
import { type SecretBox, TamperedError, UnknownKeyError } from '#runtime/secret-box.ts';
import type { PortalTables } from '../database/tables.ts';
import type { SealedColumn } from './sealed-column.ts';
import { countRowsOfOtherKeys, lockRowsOfOtherKeys, replaceSealed, type SealedRow } from './sealed-rows.ts';

export interface ResealOptions {
  readonly db: Kysely<PortalTables>;
  readonly box: SecretBox;
  readonly columns: readonly SealedColumn[];
}

export interface ResealProgress {
  readonly table: string;
  readonly done: number;
  /** As it was counted at the beginning, over all tables. */
  readonly total: number;
}

export interface Resealed {
  readonly keyId: string;
  readonly done: number;
  /** They open with none of the master keys, or are damaged. They were left as they are. */
  readonly unreadable: readonly { readonly table: string; readonly key: string }[];
}

/** A batch is one transaction: what a kill can cost, and how long somebody else may have to wait for one of its rows. */
const batchRows = 500;

/**
 * Seals everything anew that is not sealed with the present master key. Broken off anywhere, all of it still opens with
 * the present and the previous keys, and the next run finds by the key that a secret names what is left.
 */
export const resealAll = async (
  { db, box, columns }: ResealOptions,
  onProgress: (progress: ResealProgress) => void = () => undefined,
): Promise<Resealed> => {
  const counts = await Promise.all(columns.map((column) => countRowsOfOtherKeys(db, column, box.keyId)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const unreadable: { table: string; key: string }[] = [];
  let done = 0;
  for (const column of columns) {
    for (let after: string | null = null; ; ) {
      const batch = await resealBatch(db, box, column, after);
      for (const key of batch.unreadable) unreadable.push({ table: column.table, key });
      done += batch.done;
      if (batch.last === null) break;
      onProgress({ table: column.table, done, total });
      after = batch.last;
    }
  }
  return { keyId: box.keyId, done, unreadable };
};

const resealBatch = (db: Kysely<PortalTables>, box: SecretBox, column: SealedColumn, after: string | null) =>
  db.transaction().execute(async (trx) => {
    const rows = await lockRowsOfOtherKeys(trx, column, { keyId: box.keyId, after, limit: batchRows });
    const unreadable: string[] = [];
    const fresh: SealedRow[] = [];
    for (const { key, sealed } of rows) {
      const place = column.placeOf(key);
      const plain = openOrNull(box, sealed, place);
      if (plain === null) unreadable.push(key);
      else fresh.push({ key, sealed: box.seal(plain, place) });
    }
    if (fresh.length > 0) await replaceSealed(trx, column, fresh);
    return { last: rows.at(-1)?.key ?? null, done: fresh.length, unreadable };
  });

const openOrNull = (box: SecretBox, sealed: string, place: string): Buffer | null => {
  try {
    return box.open(sealed, place);
  } catch (error) {
    if (error instanceof UnknownKeyError || error instanceof TamperedError) return null;
    throw error;
  }
};
