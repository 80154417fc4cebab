/**
 * Runs tasks at the same time. When one fails, or `stopping` is aborted, the others are told by their signal, and all of them have
 * ended before this throws: nothing starts after what it needs was removed.
 */
export const together = async <T extends readonly unknown[]>(
  stopping: AbortSignal,
  tasks: { readonly [K in keyof T]: (signal: AbortSignal) => Promise<T[K]> },
): Promise<T> => {
  const failing = new AbortController();
  const signal = AbortSignal.any([stopping, failing.signal]);
  const run = async (task: (signal: AbortSignal) => Promise<unknown>) => {
    try {
      return await task(signal);
    } catch (error) {
      failing.abort(error);
      throw error;
    }
  };
  const outcomes = await Promise.allSettled(tasks.map(run));
  stopping.throwIfAborted();
  failing.signal.throwIfAborted();
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : undefined,
  ) as unknown as T;
};
