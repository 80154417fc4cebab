import type { LicenseState } from '#contracts/license/license-state.ts';
import { jittered } from '../back-off.ts';
import { longestWaitMs } from './portal/exchange.ts';

const minuteMs = 60_000;
const checkIntervalMs = 24 * 60 * minuteMs;
/** Before the interval is over, so that a license never lapses by a few seconds. */
const earliestMs = 60 * minuteMs;
const latestMs = 5 * minuteMs;
const retryMs = 15 * minuteMs;
const retryJitter = 0.2;

/** When to check next: a day after the issue, less 5 to 60 minutes; in grace or rejection every 15 min ± 20 %. */
export const nextCheckMs = ({
  state,
  issuedMs,
  nowMs,
  retryAfterMs,
  random,
}: {
  readonly state: LicenseState;
  /** Null when there is no token that we can read. */
  readonly issuedMs: number | null;
  readonly nowMs: number;
  /** The wait that the portal asked for in a 429. */
  readonly retryAfterMs: number;
  /** At least 0 and below 1. */
  readonly random: number;
}): number => {
  if (state === 'valid' && issuedMs !== null) {
    const dueMs = issuedMs + checkIntervalMs - (latestMs + random * (earliestMs - latestMs));
    if (dueMs > nowMs) return dueMs;
  }
  const pauseMs = jittered(retryMs, retryJitter, random);
  return nowMs + Math.max(pauseMs, Math.min(retryAfterMs, longestWaitMs));
};
