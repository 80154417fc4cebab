/** Runs a few tasks at a time and the others in order of arrival; tasks that wait in vain fail immediately. */
export const limitConcurrency = (limits: {
  /** Tasks at the same time. */
  readonly maxRunning: number;
  /** One more is refused with `tooManyWaiting`. */
  readonly maxWaiting: number;
  readonly tooManyWaiting: () => Error;
  /** Whether the tasks that wait behind a failed one would fail as well. */
  readonly isHopeless: (error: unknown) => boolean;
}) => {
  const { maxRunning, maxWaiting, tooManyWaiting, isHopeless } = limits;
  const waiting: PromiseWithResolvers<void>[] = [];
  let free = maxRunning;

  const enter = async (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (waiting.length >= maxWaiting) throw tooManyWaiting();
    const turn = Promise.withResolvers<void>();
    waiting.push(turn);
    await turn.promise;
  };

  return async <T>(task: () => Promise<T>): Promise<T> => {
    await enter();
    try {
      return await task();
    } catch (error) {
      if (isHopeless(error)) for (const { reject } of waiting.splice(0)) reject(error);
      throw error;
    } finally {
      const next = waiting.shift();
      if (next) next.resolve();
      else free += 1;
    }
  };
};
