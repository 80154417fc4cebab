import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostPoints } from '#contracts/store/store.ts';
import {
  bestOf,
  type DiscountTerms,
  discounted,
  findUnfit,
  findUsedUp,
  unitPricesWith,
} from './best-discount.ts';

const terms = (changes: Partial<DiscountTerms> = {}): DiscountTerms => ({
  id: 'd',
  name: 'D',
  off: { kind: 'percent', percent: 10 },
  productIds: [],
  categories: [],
  roleIds: [],
  hasCode: false,
  mostUses: null,
  mostPerMember: null,
  validFrom: null,
  validUntil: null,
  isEnabled: true,
  ...changes,
});
const line = { productId: 'p', category: 'Kits', quantity: 2, price: 15 };

// Guarantee: a percentage is rounded in favour of the buyer, but rounding alone makes nothing free.
test.each([
  [15, 10, 13],
  [10, 10, 9],
  [1, 1, 1],
  [1, 99, 1],
  [1, 100, 0],
  [0, 50, 0],
  [mostPoints, 33, 670_000_000],
])('%i points less %i percent', (price, percent, left) => {
  expect(discounted(price, { kind: 'percent', percent })).toBe(left);
});

const off = fc.oneof(
  fc.record({ kind: fc.constant('percent' as const), percent: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ kind: fc.constant('points' as const), points: fc.integer({ min: 1, max: mostPoints }) }),
);

// Guarantee: a discounted price is whole, never below zero, and never above the price; a higher price never becomes cheaper.
test('any discount (5,000 runs)', () => {
  fc.assert(
    fc.property(fc.nat(mostPoints), off, (price, taken) => {
      const left = discounted(price, taken);
      expect(Number.isSafeInteger(left)).toBe(true);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left).toBeLessThanOrEqual(price);
      expect(discounted(price + 1, taken)).toBeGreaterThanOrEqual(left);
    }),
    { numRuns: 5000 },
  );
});

// Guarantee: only one discount counts, the one that saves most; of equals the one that spends no code.
test('the best one', () => {
  const ten = terms({ id: 'ten' });
  const five = terms({ id: 'five', off: { kind: 'points', points: 5 } });
  const other = terms({ id: 'other', off: { kind: 'percent', percent: 90 }, productIds: ['another'] });
  expect(bestOf([ten, five, other], [line])?.id).toBe('five');
  expect(bestOf([], [line])).toBeNull();
  expect(bestOf([other], [line])).toBeNull();
  expect(bestOf([ten], [{ ...line, price: 0 }])).toBeNull();
  const [coded, free] = [terms({ id: 'coded', hasCode: true }), terms({ id: 'free' })];
  expect(bestOf([coded, free], [line])?.id).toBe('free');
  expect(unitPricesWith(five, [line])).toEqual([10]);
});

// Guarantee: a discount takes its points off the products and categories that it names, and no others.
test('products and categories', () => {
  const lines = [
    line,
    { productId: 'q', category: '', quantity: 1, price: 20 },
    { productId: 'r', category: 'Tools', quantity: 1, price: 30 },
  ];
  const prices = (changes: Partial<DiscountTerms>) => unitPricesWith(terms(changes), lines);
  expect(prices({})).toEqual([13, 18, 27]);
  expect(prices({ categories: ['Kits'] })).toEqual([13, 20, 30]);
  expect(prices({ productIds: ['q'], categories: ['Tools'] })).toEqual([15, 18, 27]);
  expect(prices({ categories: [''] })).toEqual([15, 20, 30]);
});

// Guarantee: the reason why a code gives nothing is the true one, with exact edges of its time.
test('why it does not apply', () => {
  const now = new Date('2026-12-01T00:00:00Z');
  const why = (changes: Partial<DiscountTerms>, roleIds: readonly string[] = []) =>
    findUnfit(terms(changes), { lines: [line], roleIds, now });
  expect(why({})).toBeNull();
  expect(why({ isEnabled: false })).toBe('unknown');
  expect(why({ validFrom: new Date(now.getTime() + 1) })).toBe('not-yet');
  expect(why({ validFrom: now })).toBeNull();
  expect(why({ validUntil: now })).toBe('ended');
  expect(why({ validUntil: new Date(now.getTime() + 1) })).toBeNull();
  expect(why({ roleIds: ['1', '2'] }, ['3'])).toBe('role');
  expect(why({ roleIds: ['1', '2'] }, ['2'])).toBeNull();
  expect(why({ productIds: ['q'] })).toBe('products');
  expect(findUsedUp(terms({ mostUses: 2 }), { all: 2, ofPayer: 0 })).toBe('used-up');
  expect(findUsedUp(terms({ mostPerMember: 1 }), { all: 5, ofPayer: 1 })).toBe('used');
  expect(findUsedUp(terms(), { all: 5, ofPayer: 5 })).toBeNull();
});
