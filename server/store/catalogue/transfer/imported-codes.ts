import type { Kysely } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { Tables } from '../../../kernel/database/tables.ts';
import { freeCode, lettersOf, lockShortCodes } from '../short-code.ts';

interface Coded {
  readonly id: string;
  readonly name: string;
  /** Null: its present one, or one derived from its name. */
  readonly wanted: string | null;
  readonly own: string | null;
}

/**
 * Codes by the ids of products of a file, which may swap codes among themselves.
 * @param tell reports a code that another product has, by the place in the file
 */
export const chooseImportedCodes = async (
  trx: Kysely<Tables>,
  products: readonly Coded[],
  tell: (place: number, why: string) => void,
): Promise<ReadonlyMap<string, string>> => {
  await lockShortCodes(trx);
  const rows = await trx.selectFrom('products').select(['id', 'short_code']).execute();
  const inFile = new Set(products.map(({ id }) => id));
  const taken = new Set(rows.flatMap(({ id, short_code }) => (inFile.has(id) ? [] : [short_code])));
  const codes = new Map<string, string>();
  for (const [place, { id, wanted, own }] of products.entries()) {
    const code = wanted ?? own;
    // An id that appears twice is a fault already.
    if (code === null || codes.has(id)) continue;
    if (taken.has(code)) tell(place, reasons['short-code-taken'](code));
    taken.add(code);
    codes.set(id, code);
  }
  /** By letters: where the last number was found, so that thousands of one name are not tried again for each. */
  const last = new Map<string, number>();
  for (const { id, name } of products.filter((one) => !codes.has(one.id))) {
    const letters = lettersOf(name);
    const code = freeCode(letters, taken, last.get(letters) ?? 1);
    last.set(letters, Number(code.slice(letters.length)) || 1);
    taken.add(code);
    codes.set(id, code);
  }
  return codes;
};
