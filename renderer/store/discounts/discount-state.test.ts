import { expect, test } from 'vitest';
import { discountState } from './discount-state.ts';

const validFrom = '2026-06-01T00:00:00.000Z';
const validUntil = '2026-07-01T00:00:00.000Z';
const begin = Date.parse(validFrom);
const end = Date.parse(validUntil);

// Guarantee: a discount is shown as on exactly while the API gives it.
test.each([
  [{ validFrom: null, validUntil: null }, begin, 'on'],
  [{ validFrom, validUntil }, begin - 1, 'notYet'],
  [{ validFrom, validUntil }, begin, 'on'],
  [{ validFrom, validUntil }, end - 1, 'on'],
  [{ validFrom, validUntil }, end, 'over'],
  [{ validFrom, validUntil: null }, end, 'on'],
] as const)('%o at %d is %s', (times, nowMs, state) => {
  expect(discountState({ isEnabled: true, ...times }, nowMs)).toBe(state);
});

// Guarantee: a discount that is switched off says so as long as switching it on could help.
test.each([
  [begin - 1, 'off'],
  [begin, 'off'],
  [end, 'over'],
] as const)('switched off, at %d', (nowMs, state) => {
  expect(discountState({ isEnabled: false, validFrom, validUntil }, nowMs)).toBe(state);
});
