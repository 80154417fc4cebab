/** Runs at most `limit` tasks at a time, the others in the order of their arrival. */
export const limitConcurrency = (limit: number) => {
  const waiting: (() => void)[] = [];
  let free = limit;

  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
};
