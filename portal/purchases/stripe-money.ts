import { type Money, minorDigitsOf, moneySchema } from '#contracts/currency.ts';

/** Currencies for which Stripe uses another unit than ISO 4217 (docs.stripe.com/currencies, "Special cases"). */
const stripeDigits: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/** Null if the event has no readable amount: an older API, or none at all. */
export const stripeMoney = (
  amount: number | null | undefined,
  lowerCaseCurrency: string | null | undefined,
): Money | null => {
  if (typeof amount !== 'number' || typeof lowerCaseCurrency !== 'string') return null;
  const currency = lowerCaseCurrency.toUpperCase();
  const digits = minorDigitsOf(currency);
  const minor = Math.round(amount * 10 ** (digits - (stripeDigits[currency] ?? digits)));
  return moneySchema.safeParse({ minor, currency }).data ?? null;
};
