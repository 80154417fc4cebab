import { expect, test } from 'vitest';
import { readStripeAmount } from './stripe-amount.ts';

// Guarantee: an amount is shown as the buyer paid it, even in currencies whose hundredths only Stripe counts.
test.each([
  [1290, 'brl', '12.90'],
  [500, 'jpy', '500'],
  [129_000, 'huf', '1290.00'],
  [500, 'isk', '5.00'],
  [500, 'ugx', '5.00'],
  [1_500_000, 'idr', '15000.00'],
  [5120, 'kwd', '5.120'],
  [0, 'eur', '0.00'],
])('%i of %s', (minorUnits, currency, value) => {
  expect(readStripeAmount(minorUnits, currency)).toEqual({ value, currency: currency.toUpperCase() });
});

test.each([
  [null, 'eur'],
  [100, null],
  [100, 'euro'],
])('no amount: %s of %s', (minorUnits, currency) => {
  expect(readStripeAmount(minorUnits, currency)).toBeNull();
});
