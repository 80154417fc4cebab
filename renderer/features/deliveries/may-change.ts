import type { Delivery } from '#contracts/deliveries.ts';

/** What waits or has failed can be tried or cancelled; what may have been sent is decided at the desk. */
export const mayChange = ({ state, refundedAt }: Pick<Delivery, 'state' | 'refundedAt'>): boolean =>
  (state === 'pending' || state === 'waiting' || state === 'failed') && refundedAt === null;
