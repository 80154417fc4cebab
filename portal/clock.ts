export interface Clock {
  /** Wall time: expiry of licenses, times in tokens and events. */
  now(): Date;
  /** Never goes back: how long an address still has to wait. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
