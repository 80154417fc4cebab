import { expect, test } from 'vitest';
import type { Delivery } from '#contracts/store/deliveries.ts';
import { refundOf } from './refund.ts';

const delivery = (
  orderLineId: string,
  points: number,
  state: Delivery['state'],
  refundedAt: string | null = null,
) => ({ orderLineId, points, state, refundedAt }) as Delivery;
const order = {
  deliveries: [
    delivery('1', 30, 'delivered'),
    delivery('1', 20, 'waiting'),
    delivery('1', 50, 'cancelled', '2026-01-01T00:00:00.000Z'),
    delivery('2', 7, 'failed'),
  ],
};

// Guarantee: the points shown for a refund are those that are left of the chosen lines.
test('only what is left of the chosen lines goes back', () => {
  expect(refundOf(order, ['1'])).toEqual({ points: 50, hasWaiting: true, hasArrived: true });
  expect(refundOf(order, ['2'])).toEqual({ points: 7, hasWaiting: false, hasArrived: false });
  expect(refundOf(order, ['1', '2']).points).toBe(57);
  expect(refundOf(order, [])).toEqual({ points: 0, hasWaiting: false, hasArrived: false });
});
