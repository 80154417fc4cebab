import type { ShopAmount } from '#contracts/storefronts/shop-webhooks.ts';

/**
 * Digits after the point in Stripe's amounts (https://docs.stripe.com/currencies#zero-decimal, #three-decimal and
 * #special-cases). These are not the digits people write: Stripe counts hundredths of HUF, ISK and UGX, which have none in
 * daily life.
 */
const zeroDecimal: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);
const threeDecimal: ReadonlySet<string> = new Set('BHD JOD KWD OMR TND'.split(' '));

const digitsOf = (currency: string): number => {
  if (zeroDecimal.has(currency)) return 0;
  return threeDecimal.has(currency) ? 3 : 2;
};

/** Null: the event has no amount, or none that can be shown. */
export const readStripeAmount = (
  minorUnits: number | null | undefined,
  currency: string | null | undefined,
): ShopAmount | null => {
  if (typeof minorUnits !== 'number' || !/^[a-z]{3}$/i.test(currency ?? '')) return null;
  const code = String(currency).toUpperCase();
  const digits = digitsOf(code);
  return { value: (minorUnits / 10 ** digits).toFixed(digits), currency: code };
};
