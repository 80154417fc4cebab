/** The deaths of one component since it last ran for a good while. */
export interface RestartLimits {
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** This many deaths within `windowMs` are a crash loop. */
  readonly deaths: number;
  readonly windowMs: number;
  /** A life of this length makes a clean slate of earlier deaths. */
  readonly stableMs: number;
}

export const restartLimits: RestartLimits = {
  firstDelayMs: 500,
  longestDelayMs: 30_000,
  deaths: 5,
  windowMs: 120_000,
  stableMs: 120_000,
};

export type RestartVerdict =
  | { readonly kind: 'restart'; readonly delayMs: number }
  | { readonly kind: 'crash loop'; readonly deaths: number; readonly withinMs: number };

/** What counts from now on: the death at `nowMs` after a life of `livedMs`, added to the earlier ones. */
export const countDeath = (
  earlier: readonly number[],
  nowMs: number,
  livedMs: number,
  limits: RestartLimits,
): readonly number[] => (livedMs >= limits.stableMs ? [nowMs] : [...earlier, nowMs]);

/**
 * Delays double from death to death. The jitter of a quarter either way keeps components that died of one cause from
 * coming back in step.
 * @param deaths times of the deaths in order, the newest last
 * @param random from 0 to below 1
 */
export const restartVerdict = (
  deaths: readonly number[],
  random: number,
  limits: RestartLimits,
): RestartVerdict => {
  const newest = deaths.at(-1) ?? 0;
  const oldest = deaths.at(-limits.deaths);
  if (oldest !== undefined && newest - oldest <= limits.windowMs)
    return { kind: 'crash loop', deaths: limits.deaths, withinMs: newest - oldest };
  const plain = Math.min(limits.firstDelayMs * 2 ** (deaths.length - 1), limits.longestDelayMs);
  return { kind: 'restart', delayMs: plain * (0.75 + random * 0.5) };
};
