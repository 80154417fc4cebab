import { once } from 'node:events';
import { backOffDelay } from '#runtime/back-off.ts';
import { sleep } from '#runtime/sleep.ts';
import { ApiFault } from './api-client.ts';
import type { BotContext } from './guild-features.ts';

/** Asks the API again and again: sooner when something has happened, and later while it does not answer. */
interface ApiPolling {
  /** Something has happened that the API wants to know, or may have work for. */
  wake(): void;
  /** Ends early when the session ends. */
  pause(usualMs: number): Promise<void>;
  /** Retries until the API accepts it or the session ends. @throws what is not a fault of the API */
  persist(tell: () => Promise<unknown>): Promise<void>;
  /** Resolves when the session has ended. */
  poll(options: {
    /** Resolves to what comes next: the usual wait, another turn immediately, or the wait after a failure. */
    readonly turn: () => Promise<'more' | 'in-doubt' | undefined>;
    /** The wait before the next turn. */
    readonly restMs: () => number;
    /** The least wait, even if it is woken. */
    readonly leastRestMs?: number;
    /** The longest wait after failures. */
    readonly mostRestMs?: number;
    /** The log message when a turn fails, other than by the API. */
    readonly failure: string;
  }): Promise<void>;
}

const retry = { firstMs: 1000, mostMs: 10_000 } as const;

export const createApiPolling = ({
  log,
  signal,
  interval,
}: Pick<BotContext, 'log' | 'signal' | 'interval'>): ApiPolling => {
  const wakes = new EventTarget();
  const pause = (usualMs: number) => sleep(interval(usualMs), signal);
  return {
    wake: () => void wakes.dispatchEvent(new Event('wake')),
    pause,
    async persist(tell) {
      for (let failures = 0; !signal.aborted; ) {
        try {
          await tell();
          return;
        } catch (error) {
          if (!(error instanceof ApiFault)) throw error;
          failures += 1;
          await pause(backOffDelay(retry, failures));
        }
      }
    },
    async poll({ turn, restMs, leastRestMs = 0, mostRestMs = retry.mostMs, failure }) {
      for (let failures = 0; !signal.aborted; ) {
        const waiting = new AbortController();
        const woken = once(wakes, 'wake', { signal: waiting.signal }).catch(() => undefined);
        let next: Awaited<ReturnType<typeof turn>>;
        try {
          next = await turn();
          failures = next === 'in-doubt' ? failures + 1 : 0;
        } catch (error) {
          if (!(error instanceof ApiFault)) log.error({ err: error }, failure);
          failures += 1;
        }
        // While the API or Discord is unreachable, asking sooner gains nothing.
        if (failures > 0) await pause(Math.min(mostRestMs, backOffDelay(retry, failures)));
        else if (next !== 'more')
          await Promise.race([
            pause(restMs()),
            woken.then(() => (leastRestMs > 0 ? pause(leastRestMs) : undefined)),
          ]);
        waiting.abort();
      }
    },
  };
};
