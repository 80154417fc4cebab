/** A request that ends with `signal`: discord.js sleeps through an abort while it waits for a bucket. */
export const untilEnded = async <Result>(
  work: (ended: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<Result> => {
  // discord.js leaves its listener on the signal that it is given; the session's lives for months.
  const own = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => {
    own.abort(signal.reason);
    reject(signal.reason);
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return (await Promise.race([work(own.signal), promise])) as Result;
  } finally {
    signal.removeEventListener('abort', abort);
  }
};
