import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expiryOf, foldOrder, nextExpiry, type OrderEvent } from './order-state.ts';

const at = (day: number) => new Date(Date.UTC(2026, 0, 1 + day));
let serial = 0;
const event = (kind: OrderEvent['kind'], day: number, facts: OrderEvent['facts'] = {}): OrderEvent => {
  serial += 1;
  return { kind, event_id: `e${serial}`, facts, occurred_at: at(day), outcome: 'processed' };
};
const until = (day: number) => ({ periodEnd: at(day).toISOString() });
const bought = (facts: OrderEvent['facts'] = {}) =>
  event('purchase', 0, { orderId: 'o', email: 'a@example.com', plan: 'standard', ...facts });
const expiry = (events: readonly OrderEvent[], durationDays: number | null = null) => {
  const order = foldOrder(events);
  return order.purchase && expiryOf(order, order.purchase, durationDays);
};

// Guarantee: a license lasts as long as was paid for, plus a few days while the next payment may still arrive.
test.each<[string, OrderEvent[], number | null, Date | null]>([
  ['for ever', [bought()], null, null],
  ['a year', [bought()], 365, at(365)],
  [
    'for as long as a date has four digits for its year',
    [bought({ periodEnd: '9999-12-31T12:00:00.000Z' })],
    null,
    new Date('9999-12-31T23:59:59.999Z'),
  ],
  ['a subscription whose first invoice is on its way', [bought({ subscription: true })], null, at(3)],
  ['a paid period', [bought(), event('renewal', 0, until(30))], null, at(33)],
  ['two', [bought(), event('renewal', 30, until(60)), event('renewal', 0, until(30))], null, at(63)],
  ['ended', [bought(), event('renewal', 0, until(30)), event('end', 30, until(30))], null, at(30)],
  ['ended early, what was paid holds', [bought(until(30)), event('end', 10, until(30))], null, at(30)],
  ['ended for want of payment', [bought(until(30)), event('end', 40, until(60))], null, at(30)],
  ['ended before anything was paid', [bought(), event('end', 5, until(10))], null, at(10)],
  [
    'taken up again',
    [bought(until(30)), event('end', 30, until(30)), event('renewal', 40, until(70))],
    null,
    at(73),
  ],
])('%s', (_what, events, durationDays, expected) => {
  expect(expiry(events, durationDays)).toEqual(expected);
});

// Guarantee: the state of an order depends neither on the sequence of its events nor on events that arrived twice.
test('any sequence comes to the same', () => {
  const anyEvent = fc.oneof(
    fc.constantFrom('refund' as const, 'chargeback' as const).map((kind) => event(kind, 5)),
    fc.nat(90).map((day) => event('renewal', day, until(day + 30))),
    fc.nat(90).map((day) => event('end', day, until(day))),
    fc.nat(3).map((day) => ({ ...bought(), occurred_at: at(day) })),
  );
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 8 }), fc.infiniteStream(fc.nat()), (events, keys) => {
      const shuffled = events
        .map((each) => ({ each, key: keys.next().value ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ each }) => each);
      expect(foldOrder([...shuffled, ...events.slice(0, 2)])).toEqual(foldOrder(events));
    }),
  );
});

// Guarantee: a date that the vendor set by hand is never shortened by a gateway, only extended.
test.each<[string, Date | null, Date | null | undefined, Date | null, Date | null]>([
  ['ours', at(30), at(30), at(60), at(60)],
  ['ours, shorter at the end', at(33), at(33), at(30), at(30)],
  ['set later by hand', at(90), at(33), at(63), at(90)],
  ['passed by what is paid', at(90), at(33), at(120), at(120)],
  ['made unlimited by hand', null, at(33), at(63), null],
  ['issued by hand', at(10), undefined, at(30), at(30)],
  ['issued by hand without end', null, undefined, at(30), null],
  ['never told', null, null, at(30), at(30)],
])('%s', (_what, present, applied, wanted, expected) => {
  expect(nextExpiry(present, applied, wanted)).toEqual(expected);
});
