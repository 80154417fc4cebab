import { setTimeout as delay } from 'node:timers/promises';

const leastPauseMs = 20;
const mostPauseMs = 200;
/** Checks use the processor that the awaited work needs: the longer it takes, the less often it is checked. */
const shareOfWait = 1 / 20;

/** Retries until `check` passes without throwing; after the deadline, its last error is thrown. */
export const eventually = async <T>(check: () => T | Promise<T>, deadlineMs = 30_000): Promise<T> => {
  const beganMs = performance.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      const waitedMs = performance.now() - beganMs;
      if (waitedMs > deadlineMs) throw error;
      await delay(Math.min(mostPauseMs, Math.max(leastPauseMs, waitedMs * shareOfWait)));
    }
  }
};
