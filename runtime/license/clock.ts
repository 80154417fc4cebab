/** Time as the license client sees it; tests move it. */
export interface Clock {
  /** Wall clock, milliseconds since epoch; people and time servers may set it. */
  now(): number;
  /** Milliseconds that only ever grow, from an arbitrary start. */
  monotonicMs(): number;
  /** Calls `run` once after `delayMs`; the returned function takes it back. Never keeps the process alive. */
  setTimer(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer(delayMs, run) {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
