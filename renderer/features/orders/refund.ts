import type { OrderDetails } from '#contracts/orders.ts';

export interface RefundFacts {
  readonly points: number;
  /** Something that has not been sent would be cancelled. */
  readonly hasWaiting: boolean;
  /** Something has arrived, or may have. */
  readonly hasArrived: boolean;
}

/** What refunding these lines of an order does. What was refunded before is not refunded again. */
export const refundOf = (
  { deliveries }: Pick<OrderDetails, 'deliveries'>,
  lineIds: readonly string[],
): RefundFacts => {
  const left = deliveries.filter(
    ({ orderLineId, refundedAt }) => lineIds.includes(orderLineId) && refundedAt === null,
  );
  return {
    points: left.reduce((sum, delivery) => sum + delivery.points, 0),
    hasWaiting: left.some(({ state }) => state === 'pending' || state === 'waiting'),
    hasArrived: left.some(({ state }) => ['sending', 'delivered', 'unknown'].includes(state)),
  };
};
