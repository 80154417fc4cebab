import type { TimerClock } from './clock.ts';
import { systemClock } from './clock.ts';

export type WakeListener = (sleptMs: number) => void;

/** Reports when the machine has slept: no system notifies a process without a window. */
export interface WakeWatch {
  /**
   * Calls the listener within `lookMs` after each sleep, with its approximate length; disposing ends that. Never keeps the
   * process alive.
   */
  onWake(listener: WakeListener): Disposable;
}

const lookMs = 2000;
/** A busy machine is this late now and then; connections outlive a shorter sleep. */
const leastSleepMs = 15_000;

/**
 * Whether so much more time has passed than expected that the machine must have slept. A clock that was set forward looks the
 * same, and costs a connection that is made again.
 */
const hasSlept = (passedMs: number, waitedMs: number): boolean => passedMs - waitedMs >= leastSleepMs;

/** Uses one timer for all listeners. */
export const createWakeWatch = (clock: Pick<TimerClock, 'now' | 'setTimer'>): WakeWatch => {
  const listeners = new Set<WakeListener>();
  let stop: (() => void) | null = null;
  /** A listener that throws does not keep the others from being called. */
  const tell = (listener: WakeListener, sleptMs: number) =>
    queueMicrotask(() => {
      if (listeners.has(listener)) listener(sleptMs);
    });
  const wait = () => {
    const fromMs = clock.now().getTime();
    stop = clock.setTimer(lookMs, () => {
      const passedMs = clock.now().getTime() - fromMs;
      wait();
      if (hasSlept(passedMs, lookMs)) for (const listener of listeners) tell(listener, passedMs);
    });
  };
  return {
    onWake(listener) {
      listeners.add(listener);
      if (stop === null) wait();
      return {
        [Symbol.dispose]() {
          listeners.delete(listener);
          if (listeners.size > 0) return;
          stop?.();
          stop = null;
        },
      };
    },
  };
};

/** For this process. */
export const wakes = createWakeWatch(systemClock);
