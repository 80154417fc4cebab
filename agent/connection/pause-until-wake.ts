import { sleep } from '#runtime/sleep.ts';
import type { WakeWatch } from '#runtime/wake-watch.ts';

/**
 * Waits, at most until the agent stops. A wake shortens the wait, but never to nothing: machines that wake together, such as
 * those of one host, would all connect at the same time.
 */
export const pauseUntilWake = async (
  ms: number,
  options: {
    readonly stopping: AbortSignal;
    /** Aborted by the next wake of the machine; afterwards it returns a new signal. */
    readonly wake: () => AbortSignal;
    /** In milliseconds. */
    readonly afterWakeMs: () => number;
  },
): Promise<void> => {
  const { stopping, wake, afterWakeMs } = options;
  const woken = wake();
  await sleep(ms, AbortSignal.any([stopping, woken]));
  if (woken.aborted && !stopping.aborted) await pauseUntilWake(afterWakeMs(), options);
};

interface FollowedWakes extends Disposable {
  /** Aborted by the next wake; after it, another one. */
  readonly signal: () => AbortSignal;
  /** Waits for these milliseconds, as `pauseUntilWake` does. */
  pause(ms: number): Promise<void>;
}

/** Follows the wakes of the machine until it is disposed. */
export const followWakes = (
  wakes: WakeWatch,
  {
    stopping,
    afterWakeMs,
    onWake,
  }: {
    readonly stopping: AbortSignal;
    readonly afterWakeMs: () => number;
    readonly onWake?: () => void;
  },
): FollowedWakes => {
  let untilWake = new AbortController();
  const signal = () => untilWake.signal;
  const listening = wakes.onWake(() => {
    const before = untilWake;
    untilWake = new AbortController();
    before.abort();
    onWake?.();
  });
  return {
    signal,
    pause: (ms) => pauseUntilWake(ms, { stopping, wake: signal, afterWakeMs }),
    [Symbol.dispose]: () => listening[Symbol.dispose](),
  };
};
