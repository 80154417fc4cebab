import { membersHttp } from '#contracts/people/members.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { useCan } from '../kit/access/access-state.ts';
import { useLive, useLiveState } from '../kit/api/live.ts';
import { pollMs, queryClient, readKey } from '../kit/api/queries.ts';

/** Everything that a change of a delivery may affect; only what is on the page is read. */
const shown = [
  deliveriesHttp.list,
  deliveriesHttp.desk,
  deliveriesHttp.read,
  ordersHttp.list,
  ordersHttp.read,
  membersHttp.read,
  membersHttp.ledger,
  storeHttp.products,
  storeHttp.read,
];
/** How often they are read without a live connection. */
const awayEveryMs = 5000;

let isReading = false;
let isStale = false;

/** Reads never overlap, and the last one begins after the last change. */
const readAgain = async (): Promise<void> => {
  isStale = true;
  if (isReading) return;
  isReading = true;
  while (isStale) {
    isStale = false;
    await Promise.all(shown.map((read) => queryClient.invalidateQueries({ queryKey: readKey(read) })));
  }
  isReading = false;
};

/**
 * Keeps orders, deliveries and everything that depends on them current while the component is mounted.
 * @returns how often to poll them as well, in milliseconds
 */
export const useLiveDeliveries = (): number => {
  const isAllowed = useCan()('orders.read');
  useLive(isAllowed ? { topic: 'deliveries' } : null, (message) => {
    if (message.type === 'deliveries') void readAgain();
  });
  return useLiveState() === 'live' && isAllowed ? pollMs.seldom : awayEveryMs;
};
