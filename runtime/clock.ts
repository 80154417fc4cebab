import { uptime } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** The time that code decides by; tests move it. */
export interface Clock {
  /** Wall time, which people and time servers may set: expiry of licenses, times in tokens and events. */
  now(): Date;
  /** Milliseconds that only ever grow, from an arbitrary start. */
  monotonicMs(): number;
}

export interface DelayClock extends Clock {
  /** Resolves after `ms`, or as soon as `signal` is aborted. */
  delay(ms: number, signal: AbortSignal): Promise<void>;
}

export interface TimerClock extends Clock {
  /** Calls `run` once after `delayMs`; the returned function cancels it. Never keeps the process alive. */
  setTimer(delayMs: number, run: () => void): () => void;
}

/** Both times at one moment: how far they are apart later tells how far the wall clock was set. */
export interface ClockLook {
  readonly nowMs: number;
  readonly monotonicMs: number;
}

/** Since the machine started, its sleep included: on Linux, `performance.now` does not count that. */
export const sinceStartMs = (): number => uptime() * 1000;

export const lookAtClock = (): ClockLook => ({ nowMs: Date.now(), monotonicMs: sinceStartMs() });

export const systemClock: DelayClock & TimerClock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  async delay(ms, signal) {
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  },
  setTimer(delayMs, run) {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
