import type { Delivery } from '#contracts/store/deliveries.ts';

/** Waiting and failed deliveries can be retried or cancelled; one that may have been sent is decided at the desk. */
export const mayChange = ({ state, refundedAt }: Pick<Delivery, 'state' | 'refundedAt'>): boolean =>
  (state === 'pending' || state === 'waiting' || state === 'failed') && refundedAt === null;
