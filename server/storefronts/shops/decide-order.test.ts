import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ShopDecision, ShopFacts } from '../../kernel/database/stored-values.ts';
import {
  decideOrder,
  type NextStep,
  type OrderRecord,
  type ProductPieces,
  type Resting,
} from './decide-order.ts';
import { foldShopOrder, type ShopOrderFold } from './order-state.ts';
import type { ShopEvent } from './shop-event.ts';
import { anyEventsOf } from './testing/order-events.ts';

const seed = 21;
const products = [{ key: 'vip', productId: 'diamonds', quantity: 1 }];

interface Settled {
  readonly record: OrderRecord;
  readonly rest: Resting;
}

/** Nothing is given yet. */
const untouched: OrderRecord = {
  given: null,
  timesGiven: 0,
  isTaken: false,
  takenProducts: [],
  held: new Map(),
  regrants: [],
  decisions: {},
};

const sumOf = (pieces: readonly ProductPieces[]): ReadonlyMap<string, number> =>
  new Map(pieces.map(({ productId, quantity }) => [productId, quantity]));
const added = (held: OrderRecord['held'], pieces: readonly ProductPieces[]): OrderRecord['held'] => {
  const sums = new Map(held);
  for (const { productId, quantity } of pieces) sums.set(productId, (sums.get(productId) ?? 0) + quantity);
  return sums;
};
const without = (held: OrderRecord['held'], ids: readonly string[]): OrderRecord['held'] =>
  new Map([...held].filter(([id]) => !ids.includes(id)));

/** Takes one step after another, as the store would. */
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
    const timesGiven = record.timesGiven + 1;
    if (next.do === 'give' && next.isAdded)
      record = { ...record, timesGiven, held: added(record.held, next.pieces) };
    else if (next.do === 'give')
      record = {
        ...record,
        given: next.lines,
        timesGiven,
        held: sumOf(next.pieces),
        isTaken: false,
        takenProducts: [],
      };
    else if (next.productIds === null) record = { ...record, isTaken: true, held: new Map() };
    else
      record = {
        ...record,
        takenProducts: [...record.takenProducts, ...next.productIds],
        held: without(record.held, next.productIds),
      };
  }
  throw new Error('an order never comes to rest');
};

const heldOf = ({ held }: OrderRecord): number => [...held.values()].reduce((sum, pieces) => sum + pieces, 0);
/** A piece fails, or is cancelled or refunded here. */
const withLoss = (record: OrderRecord): OrderRecord => ({
  ...record,
  held: new Map([...record.held].map(([id, pieces]) => [id, Math.max(0, pieces - 1)])),
});
const isGone = ({ refund, dispute }: ShopOrderFold): boolean =>
  refund === 'whole' || dispute === 'lost' || dispute === 'open';

// Guarantee: whatever the sequence of events, arrivals, decisions and failed deliveries, an order comes to rest; nothing of
// what is gone is held, less than what is still paid for is held only if a person is asked, and no one is asked when exactly
// that is held.
test('an order at rest holds what is still paid for', () => {
  const counts = { gone: 0, held: 0, heldOfPart: 0, asked: 0, lost: 0, givenAgain: 0 };
  const scenario = fc.integer({ min: 2, max: 3 }).chain((quantity) =>
    fc.record({
      quantity: fc.constant(quantity),
      events: anyEventsOf(1, [{ product: 'vip', quantity }]).chain((events) =>
        fc.shuffledSubarray(events, { minLength: events.length }),
      ),
      seenAt: fc.nat(4),
      gives: fc.infiniteStream(fc.boolean()),
      losses: fc.infiniteStream(fc.nat(3)),
    }),
  );
  fc.assert(
    fc.property(scenario, ({ quantity, events, seenAt, gives, losses }) => {
      let record = untouched;
      for (let known = 1; known <= events.length + 1; known += 1) {
        const fold = foldShopOrder(events.slice(0, known));
        const isSeen = known > seenAt || known > events.length;
        const isLoss = heldOf(record) > 0 && losses.next().value === 0;
        const first = settle(fold, isLoss ? withLoss(record) : record, isSeen);
        const { state, key } = first.rest;
        const decides = state === 'person' && key !== null && (gives.next().value ?? false);
        const decisions: Readonly<Record<string, ShopDecision>> = decides
          ? { ...first.record.decisions, [key]: 'give' }
          : first.record.decisions;
        const after = decides ? settle(fold, { ...first.record, decisions }, isSeen) : first;
        record = after.record;

        const held = heldOf(record);
        if (first.rest.reason === 'not-delivered') counts.lost += 1;
        if (first.rest.reason === 'not-delivered' && after.rest.state === 'given') counts.givenAgain += 1;
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
        const isTold = fold.refund !== 'part' || fold.refundedLines !== null;
        if (after.rest.reason === 'not-delivered') expect(held).toBeLessThan(isTold ? paidFor : quantity);
        if (after.rest.reason === 'part-refunded' && fold.refundedLines !== null) {
          counts.asked += 1;
          expect(held).not.toBe(paidFor);
        }
      }
    }),
    { seed, numRuns: 5000 },
  );
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(20);
});

const event = (facts: ShopFacts): ShopEvent => ({
  eventId: JSON.stringify(facts),
  type: facts.kind,
  refs: ['1'],
  facts,
});
const bought = event({ kind: 'paid', orderId: '1', lines: [{ product: 'vip', quantity: 2 }] });
const given = [{ key: 'vip', productId: 'diamonds', quantity: 2, bought: 2, leftOut: 0 }];
const decided = (events: readonly ShopEvent[], record: Partial<OrderRecord>) =>
  decideOrder({
    fold: foldShopOrder([bought, ...events]),
    products,
    record: { ...untouched, given, timesGiven: 1, ...record },
    receiver: { memberId: '1' },
  });
const wonDispute = [event({ kind: 'dispute-won', disputeId: 'a' })];
const taken = { isTaken: true, regrants: ['diamonds'] };

// Guarantee: when a dispute is won before a person was asked, what a season gives again is not given a second time, even if
// it was left to the member when the order was taken back.
test('a dispute that is won after a season', () => {
  const before = decided([event({ kind: 'disputed', disputeId: 'a' })], taken);
  expect(before).toMatchObject({ do: 'rest', state: 'person', reason: 'season-regrant' });
  const decisions: Record<string, ShopDecision> = {};
  const give = (step: NextStep) => {
    if (step.do === 'rest' && step.key !== null) decisions[step.key] = 'give';
  };
  give(before);
  const won = decided(wonDispute, { ...taken, decisions });
  expect(won).toMatchObject({ do: 'rest', reason: 'dispute-won' });
  give(won);
  const again = decided(wonDispute, { ...taken, decisions });
  expect(again).toMatchObject({ do: 'rest', state: 'person', reason: 'season-regrant', detail: 'vip' });
  give(again);
  expect(decided(wonDispute, { ...taken, decisions })).toMatchObject({ do: 'give', isAdded: false });
});
