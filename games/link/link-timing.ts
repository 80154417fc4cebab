import { type LostTry, retryDelayMs } from './retry-delay.ts';

export interface LinkTiming {
  /** For name resolution, TCP and login together. */
  readonly connectTimeoutMs: number;
  /** For the first answer after the login. */
  readonly probeTimeoutMs: number;
  /** Time without a command after which a connection is closed, unless it is kept open. */
  readonly idleMs: number;
  /** After a failed try, the time before a command may cause the next one. */
  readonly leastGapMs: number;
  /** A connection that lasted this long was good: failures before it are forgotten. */
  readonly steadyMs: number;
  /** Until the next try, and after a refused password until any try. */
  retryDelayMs(lost: Omit<LostTry, 'random'>): number;
}

export const linkTiming: LinkTiming = {
  connectTimeoutMs: 10_000,
  // ARK: Survival Ascended may take this long.
  probeTimeoutMs: 15_000,
  idleMs: 60_000,
  leastGapMs: 1000,
  steadyMs: 30_000,
  retryDelayMs: (lost) => retryDelayMs({ ...lost, random: Math.random() }),
};
