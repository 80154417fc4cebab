import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { runCount } from '#harness/kill-count.ts';
import { portalDatabase } from '#harness/portal.ts';
import type { PurchaseEvent } from './purchase-event.ts';
import { licensesOf, openShop, type Shop } from './testing/shop.ts';

let database: TestDatabase;
let shop: Shop;
beforeAll(async () => {
  database = await portalDatabase();
  shop = await openShop(database);
});
afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

interface Step {
  readonly kind: PurchaseEvent['kind'];
  readonly day: number;
  readonly periodDay: number;
}
const at = (day: number) => new Date(Date.UTC(2026, 2, 1 + day));
const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('renewal', 'renewal', 'renewal', 'end', 'refund', 'chargeback', 'link', 'nothing'),
  day: fc.nat(60),
  periodDay: fc.nat(120),
});

let serial = 0;
/** Plays the steps as a separate order, each with the refs of one payment that `link`s tie to it. */
const play = async (steps: readonly Step[]) => {
  serial += 1;
  const orderId = `sub_${serial}`;
  for (const [index, { kind, day, periodDay }] of steps.entries()) {
    const money = kind === 'refund' || kind === 'chargeback';
    const event: PurchaseEvent = {
      gateway: 'stripe',
      eventId: `${orderId}-${kind}-${day}-${periodDay}`,
      type: kind,
      kind,
      // A refund knows only its payment; what ties that to the order arrives at some other time, or never.
      references: money ? [`pi_${serial}`] : kind === 'link' ? [orderId, `pi_${serial}`] : [orderId],
      facts: {
        ...(kind === 'purchase'
          ? { orderId, email: `buyer${serial}@example.com`, plan: 'standard', subscription: true }
          : {}),
        ...(kind === 'renewal' || kind === 'end' ? { periodEnd: at(periodDay).toISOString() } : {}),
      },
      occurredAt: at(day),
    };
    const status = await shop.portal.context.purchases.take(event, Buffer.from([index]));
    expect(['processed', 'waiting', 'ignored', 'duplicate']).toContain(status);
  }
  const usable = (await licensesOf(shop, orderId)).filter(({ status }) => status === 'active');
  return usable.map(({ status, tier, expiresAt }) => ({ status, tier, expiresAt }));
};

// Guarantee: in whatever sequence and however often the events of an order arrive, the buyer ends with the same.
test('every sequence comes to the same license', { tags: 'kills' }, async () => {
  const scenario = fc
    .array(anyStep, { maxLength: 6 })
    .map((steps) => [{ kind: 'purchase', day: 0, periodDay: 0 } as Step, ...steps])
    .chain((steps) =>
      fc.record({
        steps: fc.constant(steps),
        shuffled: fc.shuffledSubarray(steps, { minLength: steps.length }),
        repeated: fc.subarray(steps),
      }),
    );
  await fc.assert(
    fc.asyncProperty(scenario, async ({ steps, shuffled, repeated }) => {
      const inOrder = [...steps].sort((a, b) => a.day - b.day);
      const expected = await play(inOrder);
      expect(await play([...shuffled, ...repeated])).toEqual(expected);
      expect(expected.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: runCount({ day: 20, night: 60 }) },
  );
});
