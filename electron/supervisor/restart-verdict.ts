/** The deaths of one component since it last ran for a good while. */
export interface RestartLimits {
  readonly firstDelayMs: number;
  /** This many deaths without a stable life between them are a crash loop, however slowly they came. */
  readonly deaths: number;
  /** Having answered for this long makes a clean slate of earlier deaths. */
  readonly stableMs: number;
}

export const restartLimits: RestartLimits = {
  firstDelayMs: 500,
  deaths: 5,
  stableMs: 120_000,
};

export type RestartVerdict =
  | { readonly kind: 'restart'; readonly delayMs: number }
  | { readonly kind: 'crash loop'; readonly deaths: number; readonly withinMs: number };

/**
 * What counts from now on: the death at `nowMs`, added to the earlier ones.
 * @param answeredMs how long it had been alive since it answered for the first time; 0 when it never did
 */
export const countDeath = (
  earlier: readonly number[],
  nowMs: number,
  answeredMs: number,
  limits: RestartLimits,
): readonly number[] => (answeredMs >= limits.stableMs ? [nowMs] : [...earlier, nowMs]);

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
  if (deaths.length >= limits.deaths)
    return { kind: 'crash loop', deaths: deaths.length, withinMs: newest - (deaths[0] ?? newest) };
  const plain = limits.firstDelayMs * 2 ** (deaths.length - 1);
  return { kind: 'restart', delayMs: plain * (0.75 + random * 0.5) };
};
