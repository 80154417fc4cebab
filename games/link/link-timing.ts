import { type LostTry, retryDelayMs } from './retry-delay.ts';

/** How long a link waits for what. */
export interface LinkTiming {
  /** For name, TCP and login together. */
  readonly connectTimeoutMs: number;
  /** For the first answer after the login. */
  readonly probeTimeoutMs: number;
  /** Without a command, until a connection that need not stay open is closed. */
  readonly idleMs: number;
  /** After a failed try, until a command may cause the next one. */
  readonly leastGapMs: number;
  /** A connection that held this long was a good one: what failed before it is forgotten. */
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
