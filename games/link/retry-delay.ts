import type { CommandOutcome } from '#contracts/servers/games.ts';
import { backOffDelay } from '#runtime/back-off.ts';

/** Games ban an address for some minutes after a few wrong passwords. */
const afterRefusedPasswordMs = 60_000;
const jitter = 0.25;
const backOff = { firstMs: 1000, mostMs: 60_000, jitter };

export interface LostTry {
  /** Failed tries in a row; at least 1. */
  readonly failures: number;
  readonly outcome: CommandOutcome;
  /** From 0 up to 1. */
  readonly random: number;
}

/** How long to wait before the next try, in milliseconds: it doubles, plus or minus a quarter; the limits include the jitter. */
export const retryDelayMs = ({ failures, outcome, random }: LostTry): number => {
  if (outcome === 'authentication failed') return afterRefusedPasswordMs * (1 + jitter * random);
  return backOffDelay(backOff, failures, random);
};
