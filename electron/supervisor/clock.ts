import { setTimeout as sleep } from 'node:timers/promises';

/** Time as the supervisor sees it. */
export interface Clock {
  /** Milliseconds that only ever grow. */
  monotonicMs(): number;
  now(): Date;
  /** Resolves after `ms`, or at once when `signal` is aborted. */
  delay(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  now: () => new Date(),
  async delay(ms, signal) {
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  },
};
