/** How the waits between tries grow. */
export interface BackOff {
  /** After the first failure; each further failure doubles it. */
  readonly firstMs: number;
  /** No wait is longer, jitter included. */
  readonly mostMs: number;
  /** As a fraction of the wait, in either direction, so that connections lost together are not retried together. */
  readonly jitter?: number;
}

/** With more, the doubling has passed every limit. */
const mostDoublings = 30;

/**
 * How long to wait before the next try, in milliseconds.
 * @param failures in a row, at least 1
 * @param random at least 0 and below 1
 */
export const backOffDelay = (
  { firstMs, mostMs, jitter = 0 }: BackOff,
  failures: number,
  random = 0.5,
): number => {
  const doubled = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, mostDoublings));
  return Math.min(mostMs, jittered(doubled, jitter, random));
};

/** @param random at least 0 and below 1 */
export const jittered = (ms: number, jitter: number, random: number): number =>
  ms * (1 + jitter * (2 * random - 1));
