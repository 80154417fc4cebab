import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for the work at most this long. The work itself continues, and its later failure is ignored.
 * @param late makes the result, or the error, when it takes longer
 */
export const within = async <Result, Late>(
  ms: number,
  work: Promise<Result>,
  late: () => Late,
): Promise<Result | Late> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([work, promise.then(late)]);
  } finally {
    clearTimeout(timer);
  }
};

/** Waits for the work at most this long, while the process may end. @throws the error of the work, if it fails in time */
export const waitAtMost = async (ms: number, work: Promise<unknown> | null | undefined): Promise<void> => {
  await Promise.race([work, delay(ms, undefined, { ref: false })]);
};
