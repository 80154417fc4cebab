import * as z from 'zod';

/** ISO 4217. Currencies not listed here have two decimal digits. */
const digits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
};

/** The number of decimal digits of an amount in minor units: 2 for EUR, 0 for JPY, 3 for KWD. */
export const minorDigitsOf = (currency: string): number => digits[currency] ?? 2;

/** More than any single payment; sums of millions of payments stay exact. */
const maxMinor = 1_000_000_000_000;

const currencySchema = z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as EUR');

/** A whole number of minor units: 4900 of EUR is 49.00 €, 4900 of JPY is 4900 ¥. */
export const moneySchema = z.strictObject({
  minor: z.int('must be a whole number of minor units').min(0).max(maxMinor),
  currency: currencySchema,
});
export type Money = z.infer<typeof moneySchema>;
