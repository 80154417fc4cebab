import type { CommandOutcome } from '#contracts/games.ts';

const firstDelayMs = 1000;
const longestDelayMs = 60_000;
/** Games ban an address for some minutes after a few wrong passwords. */
const afterRefusedPasswordMs = 60_000;
/** So that servers that were lost together are not tried together. */
const jitter = 0.25;

export interface LostTry {
  /** Tries that failed, one after the other; at least 1. */
  readonly failures: number;
  readonly outcome: CommandOutcome;
  /** From 0 up to 1. */
  readonly random: number;
}

/** How long to wait before the next try, in milliseconds: doubling, a quarter more or less, the jitter within the limits. */
export const retryDelayMs = ({ failures, outcome, random }: LostTry): number => {
  if (outcome === 'authentication failed') return afterRefusedPasswordMs * (1 + jitter * random);
  const doubled = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 16));
  return Math.min(longestDelayMs, doubled * (1 + jitter * (2 * random - 1)));
};
