import { backOffDelay } from '#runtime/back-off.ts';

const leastMs = 500;
const limits = { firstMs: 5000, mostMs: 20_000 };

/**
 * How long to wait before the next try, in milliseconds, anywhere between half a second and a limit that grows from 5 to 20 s: the
 * agents of an API that was restarted come back spread over some seconds, and all of them within half a minute.
 * @param tries that failed one after the other, at least 1
 * @param random from 0 to below 1
 */
export const reconnectDelayMs = (tries: number, random: number): number =>
  leastMs + random * (backOffDelay(limits, tries) - leastMs);
