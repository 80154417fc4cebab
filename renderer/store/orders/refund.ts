import type { OrderDetails } from '#contracts/store/orders.ts';

interface RefundFacts {
  readonly points: number;
  /** Whether deliveries not sent yet would be cancelled. */
  readonly hasWaiting: boolean;
  /** Whether something has arrived or may have. */
  readonly hasArrived: boolean;
}

/** The effect of refunding these lines. Earlier refunds are not repeated. */
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
