import { expect, test } from 'vitest';
import { readShopAmount } from './shop-amount.ts';

// Guarantee: an amount is read in the forms that shops send, and never guessed.
test.each([
  [{ value: '12.90', currency: 'BRL' }, '12.90 BRL'],
  [{ value: 12.9, currency: 'brl' }, '12.9 BRL'],
  [{ value: '12,90', currency: 'EUR', formatted: '12,90 €' }, '12.90 EUR'],
  [{ value: '1,290', currency: 'EUR' }, null],
  [{ value: 1e21, currency: 'EUR' }, null],
  [{ value: '-3', currency: 'EUR' }, null],
  [{ value: '3', currency: '€' }, null],
  ['12.90 EUR', null],
  [12.9, null],
  [null, null],
])('%j', (given, expected) => {
  const read = readShopAmount(given);
  expect(read && `${read.value} ${read.currency}`).toBe(expected);
});
