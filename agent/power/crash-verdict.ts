import { type BackOff, backOffDelay } from '#runtime/back-off.ts';

export interface CrashLimits {
  readonly backOff: BackOff;
  /** This many crashes within the time are a crash loop. */
  readonly crashes: number;
  readonly withinMs: number;
  /** After a run of this length, earlier crashes no longer count. */
  readonly stableMs: number;
}

/**
 * A game that fails while it loads takes up to a minute or two for that: five such crashes, with the waits between them, fit into
 * ten minutes. Half of that without a crash is more than any game needs to load its world.
 */
export const crashLimits: CrashLimits = {
  backOff: { firstMs: 2000, mostMs: 60_000, jitter: 0.25 },
  crashes: 5,
  withinMs: 10 * 60_000,
  stableMs: 5 * 60_000,
};

export type CrashVerdict =
  | { readonly kind: 'start again'; readonly inMs: number }
  | { readonly kind: 'crash loop' };

/**
 * The crashes that count from now on: the earlier ones plus the one at `nowMs`. All times are from a monotonic clock.
 * @param ranMs null when it is unknown
 */
export const countCrash = (
  earlier: readonly number[],
  nowMs: number,
  ranMs: number | null,
  { stableMs }: CrashLimits,
): readonly number[] => (ranMs !== null && ranMs >= stableMs ? [nowMs] : [...earlier, nowMs]);

/** @param crashes their times in order, the newest last. @param random at least 0 and below 1 */
export const crashVerdict = (
  crashes: readonly number[],
  random: number,
  { backOff, crashes: most, withinMs }: CrashLimits,
): CrashVerdict => {
  const newest = crashes.at(-1) ?? 0;
  const counted = crashes.filter((atMs) => newest - atMs <= withinMs).length;
  return counted >= most
    ? { kind: 'crash loop' }
    : { kind: 'start again', inMs: backOffDelay(backOff, Math.max(1, counted), random) };
};
