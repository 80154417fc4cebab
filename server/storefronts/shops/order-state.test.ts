import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ShopFacts } from '../../kernel/database/stored-values.ts';
import { foldShopOrder } from './order-state.ts';
import type { ShopEvent } from './shop-event.ts';
import { anyEventsOf } from './testing/order-events.ts';

const seed = 19;
const least = 5000;

// Guarantee: an order ends in the same state, whatever the sequence and repetition of its events, even with refunds before purchases.
test('5,000 events, shuffled and repeated', () => {
  let count = 0;
  let overtaken = 0;
  const scenario = anyEventsOf(1).chain((events) =>
    fc.record({
      events: fc.constant(events),
      shuffled: fc.shuffledSubarray(events, { minLength: events.length }),
      repeated: fc.subarray(events),
    }),
  );
  fc.assert(
    fc.property(scenario, ({ events, shuffled, repeated }) => {
      const received = [...shuffled, ...repeated];
      count += received.length;
      const places = (kinds: readonly string[]) =>
        received.findIndex(({ facts }) => kinds.includes(facts.kind));
      if (places(['refunded']) !== -1 && places(['refunded']) < places(['paid'])) overtaken += 1;
      expect(foldShopOrder(received)).toEqual(foldShopOrder(events));
    }),
    { seed, numRuns: 2000 },
  );
  expect(count).toBeGreaterThan(least);
  expect(overtaken).toBeGreaterThan(50);
});

const event = (facts: ShopFacts, index = 0): ShopEvent => ({
  eventId: `e${index}`,
  type: '',
  refs: [],
  facts,
});
const fold = (...facts: ShopFacts[]) => foldShopOrder(facts.map(event));
const paid = (product: string, quantity = 1): ShopFacts => ({
  kind: 'paid',
  orderId: 'o',
  lines: [{ product, quantity }],
});

// Guarantee: two conflicting reports of one purchase are detected, and mere repetitions are not.
test('what contradicts', () => {
  expect(fold(paid('a'), paid('a')).contradicts).toBe(false);
  expect(fold(paid('a'), { ...paid('a'), amount: { value: '1', currency: 'EUR' } }).contradicts).toBe(false);
  expect(fold(paid('a'), paid('b')).contradicts).toBe(true);
  expect(fold(paid('a'), { ...paid('a'), hidesRefunds: true }).contradicts).toBe(true);
  expect(fold(paid('a'), { ...paid('a'), orderId: 'p' }).contradicts).toBe(true);
});

// Guarantee: a line that is named twice becomes one, and no sum hides an invalid quantity.
test('lines are added up', () => {
  const of = (...quantities: number[]) =>
    fold({ ...paid('a'), lines: quantities.map((quantity) => ({ product: 'a', quantity })) }).purchase?.lines;
  expect(of(1, 2)).toEqual([{ product: 'a', quantity: 3 }]);
  for (const quantities of [
    [5, -3],
    [-3, 5],
    [0, 1],
    [1, 0.5],
    [1, Number.NaN],
    [1, 1e300],
  ])
    expect(of(...quantities)).toEqual([{ product: 'a', quantity: -1 }]);
});

// Guarantee: a dispute ends once; among several, a lost one counts most, then an open one.
test('disputes', () => {
  const of = (...kinds: [ShopFacts['kind'], string][]) =>
    fold(...kinds.map(([kind, disputeId]) => ({ kind, disputeId }))).dispute;
  expect(of()).toBe('none');
  expect(of(['disputed', 'a'])).toBe('open');
  expect(of(['dispute-won', 'a'], ['disputed', 'a'])).toBe('won');
  expect(of(['dispute-won', 'a'], ['dispute-lost', 'a'])).toBe('lost');
  expect(of(['dispute-won', 'a'], ['disputed', 'b'])).toBe('open');
  expect(of(['dispute-lost', 'a'], ['disputed', 'b'])).toBe('lost');
});

// Guarantee: a refund that names what was not bought is not split by lines, whether its purchase came in before or after;
// another such refund is another one.
test('refunds of what was not bought', () => {
  const refund = (product: string, quantity: number): ShopFacts => ({
    kind: 'part-refunded',
    lines: [{ product, quantity }],
  });
  const sound = refund('rank', 1);
  expect(fold(paid('rank', 2), sound).refundedLines).toEqual([{ product: 'rank', quantity: 1 }]);
  const others = [refund('RANK', 1), refund('rank', 0), refund('rank', -1), refund('rank', 3)];
  const digests = others.map((odd) => {
    expect(fold(sound, paid('rank', 2), odd)).toEqual(fold(odd, sound, paid('rank', 2)));
    expect(fold(paid('rank', 2), odd)).toMatchObject({ refund: 'part', refundedLines: null });
    return fold(paid('rank', 2), odd).refundedDigest;
  });
  expect(new Set(digests).size).toBe(others.length - 1);
  const twice: ShopFacts = {
    kind: 'part-refunded',
    lines: [sound, sound].flatMap(({ lines = [] }) => lines),
  };
  expect(fold(paid('rank', 2), twice).refundedLines).toEqual([{ product: 'rank', quantity: 2 }]);
  expect(fold(paid('rank', 1), twice).refundedLines).toBeNull();
});

// Guarantee: each report of a purchase that differs from the earlier ones is another contradiction, in any sequence.
test('a third purchase', () => {
  const [two, three] = [
    [paid('a'), paid('b')],
    [paid('a'), paid('b'), paid('c')],
  ].map((facts) => fold(...facts).purchasesDigest);
  expect(fold(paid('b'), paid('a'), paid('b')).purchasesDigest).toBe(two);
  expect(fold(paid('c'), paid('a'), paid('b')).purchasesDigest).toBe(three);
  expect(three).not.toBe(two);
});
