import { setTimeout as delay } from 'node:timers/promises';

/** Retries until `check` passes without throwing; after the deadline, its last error is thrown. */
export const eventually = async <T>(check: () => T | Promise<T>, deadlineMs = 10_000): Promise<T> => {
  const until = performance.now() + deadlineMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > until) throw error;
      await delay(20);
    }
  }
};
