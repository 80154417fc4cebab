import fc from 'fast-check';
import type { ShopFacts } from '../../../kernel/database/stored-values.ts';
import type { ShopEvent } from '../shop-event.ts';

const receiver = { kind: 'id', text: 'minecraft:11111111-2222-4333-8444-555555555555', game: null } as const;

/** One to six events of one order, most with its purchase; some name only the payment, which another ties to the order. */
export const anyEventsOf = (
  serial: number,
  lines: ShopFacts['lines'] = [{ product: 'vip', quantity: 2 }],
) => {
  const order = `order:${serial}`;
  const payment = `payment:${serial}`;
  const paid: ShopFacts = { kind: 'paid', orderId: String(serial), lines, receiver, amount: null };
  const about = fc.constantFrom<ShopFacts>(
    { kind: 'refunded' },
    { kind: 'part-refunded', lines: [{ product: 'vip', quantity: 1 }] },
    { kind: 'part-refunded', lines: [{ product: 'vip', quantity: 2 }] },
    { kind: 'part-refunded', refunded: 500 },
    { kind: 'part-refunded', lines: [{ product: 'VIP', quantity: 1 }] },
    { kind: 'part-refunded', lines: [{ product: 'vip', quantity: 9 }] },
    { kind: 'disputed', disputeId: 'a' },
    { kind: 'dispute-won', disputeId: 'a' },
    { kind: 'dispute-lost', disputeId: 'a' },
    { kind: 'disputed', disputeId: 'b' },
    { kind: 'dispute-won', disputeId: 'b' },
    { kind: 'nothing' },
    paid,
  );
  return fc
    .record({ hasPurchase: fc.nat(9), rest: fc.array(fc.tuple(about, fc.boolean()), { maxLength: 5 }) })
    .map(({ hasPurchase, rest }): ShopEvent[] => {
      const all: [ShopFacts, boolean][] = hasPurchase > 0 ? [[paid, false], ...rest] : rest;
      return all.map(([facts, isOfPayment], index) => ({
        eventId: `e${serial}-${index}`,
        type: facts.kind,
        refs: isOfPayment && facts.kind !== 'paid' ? [payment] : [order, payment],
        facts,
      }));
    });
};
