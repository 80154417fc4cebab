import type { Kysely } from 'kysely';
import { reencrypt } from '#runtime/sealed/reencrypt.ts';
import type { SealedColumn } from '#runtime/sealed/sealed-column.ts';
import { countSealedRows } from '#runtime/sealed/sealed-rows.ts';
import type { SecretBox } from '#runtime/secret-box.ts';
import type { PortalTables } from '../database/tables.ts';

export interface ResealProgress {
  readonly table: string;
  readonly done: number;
  /** Counted at the beginning, over all tables. */
  readonly total: number;
}

export interface Resealed {
  readonly keyId: string;
  readonly done: number;
  /** They open with none of the master keys, or are damaged. They were left unchanged. */
  readonly unreadable: readonly { readonly table: string; readonly key: string }[];
}

const batchRows = 500;

/** Re-encrypts everything that is not sealed with the current master key. */
export const resealAll = async (
  {
    db,
    box,
    columns,
  }: {
    readonly db: Kysely<PortalTables>;
    readonly box: SecretBox;
    readonly columns: readonly SealedColumn[];
  },
  onProgress: (progress: ResealProgress) => void = () => undefined,
): Promise<Resealed> => {
  const named = { otherThan: box.keyId };
  const total = await countSealedRows(db, columns, named);
  const unreadable: { table: string; key: string }[] = [];
  let done = 0;
  for await (const batch of reencrypt({ db, box, columns, named, batchRows })) {
    const { table } = batch;
    unreadable.push(...batch.unreadable.map((key) => ({ table, key: key.join(' ') })));
    done += batch.done;
    onProgress({ table, done, total });
  }
  return { keyId: box.keyId, done, unreadable };
};
