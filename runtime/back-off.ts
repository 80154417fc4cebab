/** How the waits between tries grow. */
export interface BackOff {
  /** After the first failure; doubled by each further one. */
  readonly firstMs: number;
  /** No wait is longer, the jitter included. */
  readonly mostMs: number;
  /** As a part of the wait, either way: what was lost together is not tried together. */
  readonly jitter?: number;
}

/** Beyond, the doubling has reached every limit. */
const mostDoublings = 30;

/**
 * How long to wait before the next try, in milliseconds.
 * @param failures one after the other, at least 1
 * @param random from 0 to below 1
 */
export const backOffDelay = (
  { firstMs, mostMs, jitter = 0 }: BackOff,
  failures: number,
  random = 0.5,
): number => {
  const doubled = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, mostDoublings));
  return Math.min(mostMs, jittered(doubled, jitter, random));
};

/** @param random from 0 to below 1 */
export const jittered = (ms: number, jitter: number, random: number): number =>
  ms * (1 + jitter * (2 * random - 1));
