import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type GivenLine, mostPoints } from '#contracts/store/store.ts';
import { countDeliveries, planDeliveries } from './planned-deliveries.ts';
import { splitPoints } from './split-points.ts';

const numRuns = 2000;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

// Guarantee: parts of a payment add up to it exactly, none is negative, and none differs from its share by a whole point.
test(`points are split exactly (${numRuns} runs)`, () => {
  const weights = fc.array(fc.integer({ min: 1, max: 100_000_000 }), { minLength: 1, maxLength: 200 });
  const total = fc.integer({ min: 0, max: mostPoints * 1000 });
  fc.assert(
    fc.property(total, weights, (points, shares) => {
      const parts = splitPoints(points, shares);
      expect(sum(parts)).toBe(points);
      const whole = sum(shares);
      for (const [index, part] of parts.entries()) {
        expect(part).toBeGreaterThanOrEqual(0);
        const share = (BigInt(points) * BigInt(shares[index] ?? 0)) / BigInt(whole);
        expect(Math.abs(part - Number(share))).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns },
  );
});

const line: fc.Arbitrary<GivenLine> = fc.oneof(
  fc.record({
    kind: fc.constant('item' as const),
    item: fc.constant('dirt'),
    quantity: fc.integer({ min: 1, max: 1000 }),
  }),
  fc.record({
    kind: fc.constant('command' as const),
    command: fc.constantFrom('xp add {player} 5', 'xp add {player} {quantity}'),
    success: fc.constant<string[]>([]),
    failure: fc.constant<string[]>([]),
    needsPlayer: fc.boolean(),
  }),
);
const part = fc.record({
  id: fc.string(),
  version: fc.constant(1),
  quantity: fc.integer({ min: 1, max: 4 }),
  worth: fc.integer({ min: 0, max: mostPoints * 1000 }),
  clusterIds: fc.array(fc.string(), { maxLength: 2 }),
  serverIds: fc.array(fc.string(), { maxLength: 2 }),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  approval: fc.constant(null),
  stock: fc.constant(null),
});
const order = fc.record({
  // In a bundle whose products are all free, each has the same worth.
  parts: fc
    .array(part, { minLength: 1, maxLength: 4 })
    .map((parts) =>
      parts.every(({ worth }) => worth === 0) ? parts.map((one) => ({ ...one, worth: 1 })) : parts,
    ),
  quantity: fc.integer({ min: 1, max: 20 }),
  mostAtOnce: fc.integer({ min: 64, max: 32_767 }),
  paid: fc.integer({ min: 0, max: mostPoints }),
});

// Guarantee: every piece bought, alone or in a bundle, is in one delivery on its product's servers, none contains more than
// the game gives at once, and their points add up to the payment.
test(`deliveries hold what was bought (${numRuns / 4} runs)`, () => {
  fc.assert(
    fc.property(order, ({ paid, ...bought }) => {
      const planned = planDeliveries(bought, paid);
      expect(planned).toHaveLength(countDeliveries(bought));
      expect(sum(planned.map(({ points }) => points))).toBe(paid);
      expect(Math.min(...planned.map(({ points }) => points))).toBeGreaterThanOrEqual(0);
      const given = bought.parts.flatMap((one) => one.lines.map((of) => ({ ...one, of })));
      for (const [position, { of, clusterIds, serverIds, ...one }] of given.entries()) {
        const ofLine = planned.filter((delivery) => delivery.line.position === position);
        const quantities = ofLine.map((delivery) => delivery.line.quantity);
        const each = of.kind === 'item' ? of.quantity : 1;
        expect(sum(quantities)).toBe(each * one.quantity * bought.quantity);
        if (of.kind === 'item') expect(Math.max(...quantities)).toBeLessThanOrEqual(bought.mostAtOnce);
        for (const delivery of ofLine) expect(delivery).toMatchObject({ clusterIds, serverIds });
      }
    }),
    { numRuns: numRuns / 4 },
  );
});
