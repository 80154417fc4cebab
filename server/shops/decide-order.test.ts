import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideOrder, type NextStep, type OrderRecord, type Resting } from './decide-order.ts';
import { foldShopOrder, type ShopOrderFold } from './order-state.ts';
import type { Decision, GivenLine } from './shops.tables.ts';
import { anyEventsOf } from './testing/order-events.ts';

const seed = 21;
const products = [{ key: 'vip', productId: 'diamonds', quantity: 1 }];

interface Settled {
  readonly record: OrderRecord;
  readonly rest: Resting;
}

/** Takes one step after the other, as the store would. */
const settle = (fold: ShopOrderFold, before: OrderRecord, isSeen: boolean): Settled => {
  let record = before;
  for (let steps = 0; steps < 10; steps += 1) {
    const next: NextStep = decideOrder({
      fold,
      record,
      products,
      receiver: isSeen ? { memberId: '1' } : { reason: 'receiver-unseen', seenIds: [], seenName: null },
    });
    if (next.do === 'rest') return { record, rest: next };
    if (next.do === 'give')
      record = {
        ...record,
        given: next.lines,
        timesGiven: record.timesGiven + 1,
        isTaken: false,
        takenProducts: [],
      };
    else if (next.productIds === null) record = { ...record, isTaken: true };
    else record = { ...record, takenProducts: [...record.takenProducts, ...next.productIds] };
  }
  throw new Error('an order never comes to rest');
};

const heldLines = ({ given, isTaken, takenProducts }: OrderRecord): readonly GivenLine[] =>
  isTaken ? [] : (given ?? []).filter(({ productId }) => !takenProducts.includes(productId));
const isGone = ({ refund, dispute }: ShopOrderFold): boolean =>
  refund === 'whole' || dispute === 'lost' || dispute === 'open';

// Guarantee: whatever the sequence of events, arrivals and decisions, an order comes to rest; nothing is held of what is gone,
// never less is held than is still paid for, and nothing is asked where exactly that is held.
test('an order at rest holds what is still paid for', () => {
  const counts = { gone: 0, held: 0, heldOfPart: 0, asked: 0 };
  const scenario = fc.integer({ min: 2, max: 3 }).chain((quantity) =>
    fc.record({
      quantity: fc.constant(quantity),
      events: anyEventsOf(1, [{ product: 'vip', quantity }]).chain((events) =>
        fc.shuffledSubarray(events, { minLength: events.length }),
      ),
      seenAt: fc.nat(4),
      gives: fc.infiniteStream(fc.boolean()),
    }),
  );
  fc.assert(
    fc.property(scenario, ({ quantity, events, seenAt, gives }) => {
      let record: OrderRecord = {
        given: null,
        timesGiven: 0,
        isTaken: false,
        takenProducts: [],
        decisions: {},
      };
      for (let known = 1; known <= events.length + 1; known += 1) {
        const fold = foldShopOrder(events.slice(0, known));
        const isSeen = known > seenAt || known > events.length;
        const first = settle(fold, record, isSeen);
        const { state, key } = first.rest;
        const decides = state === 'person' && key !== null && (gives.next().value ?? false);
        const decisions: Readonly<Record<string, Decision>> = decides
          ? { ...first.record.decisions, [key]: 'give' }
          : first.record.decisions;
        const after = decides ? settle(fold, { ...first.record, decisions }, isSeen) : first;
        record = after.record;

        const held = heldLines(record).reduce((sum, line) => sum + line.quantity, 0);
        if (isGone(fold)) {
          counts.gone += 1;
          expect(held).toBe(0);
          continue;
        }
        const refunded = Math.max(
          0,
          ...events
            .slice(0, known)
            .flatMap(({ facts }) =>
              facts.kind === 'part-refunded' ? (facts.lines ?? []).map((line) => line.quantity) : [],
            ),
        );
        const paidFor = Math.max(0, quantity - refunded);
        if (after.rest.state === 'given') {
          counts.held += 1;
          expect(held).toBeGreaterThanOrEqual(paidFor);
          expect(held).toBeGreaterThan(0);
          if (refunded > 0) counts.heldOfPart += 1;
        }
        if (after.rest.state === 'taken-back') expect(paidFor).toBe(0);
        if (after.rest.reason === 'part-refunded' && fold.refundedLines !== null) {
          counts.asked += 1;
          expect(held).not.toBe(paidFor);
        }
      }
    }),
    { seed, numRuns: 3000 },
  );
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(20);
});
