import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldGrants, type Grant } from './fold-grants.ts';

const grant = fc.record({
  deliveryId: fc.uuid(),
  givenAt: fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }),
  seconds: fc.integer({ min: 60, max: 90 * 86_400 }),
  extends: fc.boolean(),
});
const grants = fc.uniqueArray(grant, { selector: ({ deliveryId }) => deliveryId, maxLength: 12 });
const runs = { numRuns: 500, seed: 30 };

// Guarantee: the end is a function of the grants that count, in whichever order they are read or were refunded.
test('order plays no part', () => {
  fc.assert(
    fc.property(grants, fc.infiniteStream(fc.nat()), (all, numbers) => {
      const shuffled = all
        .map((one) => ({ one, at: numbers.next().value ?? 0 }))
        .sort((left, right) => left.at - right.at)
        .map(({ one }) => one);
      expect(foldGrants(shuffled)).toEqual(foldGrants(all));
    }),
    runs,
  );
});

// Guarantee: buying once more never shortens what lasts, and refunding never lengthens it.
test('more is never less', () => {
  fc.assert(
    fc.property(grants, grant, (all, more) => {
      const before = foldGrants(all)?.getTime() ?? 0;
      expect(foldGrants([...all, more])?.getTime()).toBeGreaterThanOrEqual(before);
    }),
    runs,
  );
});

// Guarantee: each grant that extends lasts its whole time, and none begins before it was delivered.
test('the time that was bought is the time that it lasts', () => {
  fc.assert(
    fc.property(grants, (all) => {
      const extending = all.map((one) => ({ ...one, extends: true }));
      const endMs = foldGrants(extending)?.getTime() ?? 0;
      const bought = extending.reduce((sum, { seconds }) => sum + seconds * 1000, 0);
      const firstMs = Math.min(...extending.map(({ givenAt }) => givenAt.getTime()));
      const lastMs = Math.max(...extending.map(({ givenAt }) => givenAt.getTime()));
      if (extending.length === 0) return;
      expect(endMs).toBeGreaterThanOrEqual(firstMs + bought);
      expect(endMs).toBeLessThanOrEqual(lastMs + bought);
    }),
    runs,
  );
});

const at = (day: number) => new Date(Date.UTC(2026, 0, 1 + day));
const days = (deliveryId: string, givenOn: number, lasts: number, isExtending = true): Grant => ({
  deliveryId,
  givenAt: at(givenOn),
  seconds: lasts * 86_400,
  extends: isExtending,
});

// Guarantee: what the shop window says is what happens.
test.each([
  ['nothing', [], null],
  ['once', [days('a', 0, 30)], at(30)],
  ['again while it lasts', [days('a', 0, 30), days('b', 10, 30)], at(60)],
  ['again after it ended', [days('a', 0, 30), days('b', 40, 30)], at(70)],
  ['again without extending', [days('a', 0, 30), days('b', 10, 30, false)], at(40)],
  ['a short one without extending', [days('a', 0, 30), days('b', 10, 5, false)], at(30)],
])('bought: %s', (_name, bought, end) => {
  expect(foldGrants(bought)).toEqual(end);
});
