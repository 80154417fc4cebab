import { backOffDelay } from '#runtime/back-off.ts';

const leastMs = 500;
const limits = { firstMs: 5000, mostMs: 20_000 };

/**
 * How long to wait before the next try, in milliseconds, at random between half a second and a limit that grows from 5 to 20 s:
 * the agents of a restarted API come back spread over some seconds, and all of them within half a minute.
 * @param tries failed tries in a row, at least 1
 * @param random at least 0 and below 1
 */
export const reconnectDelayMs = (tries: number, random: number): number =>
  leastMs + random * (backOffDelay(limits, tries) - leastMs);
