import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/reasons.ts';
import { longestShortCode, type Product, type ProductDraft } from '#contracts/store.ts';
import type { Tables } from '../database/tables.ts';
import { type Refusal, refuse } from '../http/refusal.ts';

/** Characters that are taken from the name. */
const lettersOfName = 6;

/** The first letters and digits of a name, without accents. */
export const lettersOf = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/^\d+/, '')
    .slice(0, lettersOfName);
  return plain.length < 2 ? `P${plain}` : plain;
};

export interface CodedProduct extends Pick<ProductDraft, 'name' | 'shortCode'> {
  /** The code that it has. */
  readonly own: string | null;
}

/**
 * For each product the code that it asks for, else the one that it has, else one that is made from its name. Others who
 * choose one wait until this transaction ends.
 */
export const chooseShortCodes = async (
  trx: Kysely<Tables>,
  products: readonly CodedProduct[],
): Promise<readonly (string | Refusal)[]> => {
  const keepsOwn = ({ own, shortCode }: CodedProduct) => own !== null && (shortCode ?? own) === own;
  if (!products.every(keepsOwn))
    await sql`select pg_advisory_xact_lock(hashtext('products.short_code'))`.execute(trx);
  const rows = products.every(keepsOwn)
    ? []
    : await trx.selectFrom('products').select('short_code').where('short_code', 'is not', null).execute();
  const taken = new Set(rows.map(({ short_code }) => short_code));
  return products.map(({ name, shortCode, own }) => {
    if (own !== null && (shortCode ?? own) === own) return own;
    if (shortCode !== null && taken.has(shortCode))
      return refuse('PRODUCT_INVALID', reasons['short-code-taken'](shortCode));
    const code = shortCode ?? firstFree(lettersOf(name), taken);
    taken.add(code);
    return code;
  });
};

const firstFree = (base: string, taken: ReadonlySet<string | null>): string => {
  for (let place = 1; ; place += 1) {
    const code = place === 1 ? base : `${base}${place}`;
    if (code.length >= 2 && code.length <= longestShortCode && !taken.has(code)) return code;
  }
};

export const chooseShortCode = async (
  trx: Kysely<Tables>,
  { name, shortCode }: Pick<ProductDraft, 'name' | 'shortCode'>,
  before: Pick<Product, 'shortCode'> | null,
): Promise<string | Refusal> => {
  const [code] = await chooseShortCodes(trx, [{ name, shortCode, own: before?.shortCode ?? null }]);
  if (code === undefined) throw new Error('no short code was chosen');
  return code;
};
