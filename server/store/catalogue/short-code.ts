import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { longestShortCode, type Product, type ProductDraft } from '#contracts/store/store.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuseTakenValue } from '../../kernel/http/refusal.ts';

/** How many characters are taken from the name. */
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

/**
 * The code that a draft asks for, otherwise the product's own, otherwise one derived from the name. Others who choose
 * one wait until this transaction ends.
 */
export const chooseShortCode = async (
  trx: Kysely<Tables>,
  { name, shortCode }: Pick<ProductDraft, 'name' | 'shortCode'>,
  before: Pick<Product, 'shortCode'> | null,
): Promise<string | Refusal> => {
  const own = before?.shortCode ?? null;
  if (own !== null && (shortCode === null || shortCode === own)) return own;
  await lockShortCodes(trx);
  const base = shortCode ?? lettersOf(name);
  const rows = await trx
    .selectFrom('products')
    .select('short_code')
    .where('short_code', 'like', `${base}%`)
    .execute();
  const taken = new Set(rows.map(({ short_code }) => short_code));
  if (shortCode !== null)
    return taken.has(shortCode)
      ? refuseTakenValue('PRODUCT_INVALID', 'body.shortCode', reasons['short-code-taken'](shortCode))
      : shortCode;
  return freeCode(base, taken);
};

/** Others who choose codes wait until this transaction ends. */
export const lockShortCodes = async (trx: Kysely<Tables>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('products.short_code'))`.execute(trx);
};

/** @returns the base, or the base with the first number from `first` that no product has */
export const freeCode = (base: string, taken: Pick<ReadonlySet<string | null>, 'has'>, first = 1): string => {
  for (let place = first; ; place += 1) {
    const code = place === 1 ? base : `${base}${place}`;
    if (code.length >= 2 && code.length <= longestShortCode && !taken.has(code)) return code;
  }
};
