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
