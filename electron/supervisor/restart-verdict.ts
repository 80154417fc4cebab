import { backOffDelay, jittered } from '#runtime/back-off.ts';

/** Limits for the deaths of one component since it last ran stably. */
export interface RestartLimits {
  readonly firstDelayMs: number;
  /** This many deaths without a stable life between them are a crash loop, however slowly they came. */
  readonly deaths: number;
  /** Answering for this long clears all earlier deaths. */
  readonly stableMs: number;
  /** Between two tries after a crash loop: its cause may pass without a person, such as a disk that was full. */
  readonly slowDelayMs: number;
}

export const restartLimits: RestartLimits = {
  firstDelayMs: 500,
  deaths: 5,
  stableMs: 120_000,
  slowDelayMs: 300_000,
};

const jitter = 0.25;

interface CrashLoop {
  readonly kind: 'crash loop';
  readonly deaths: number;
  readonly withinMs: number;
  readonly delayMs: number;
}

type RestartVerdict = { readonly kind: 'restart'; readonly delayMs: number } | CrashLoop;

/**
 * The deaths that count from now on: the one at `nowMs`, added to the earlier ones.
 * @param answeredMs how long it had lived since its first answer; 0 when it never answered
 */
export const countDeath = (
  earlier: readonly number[],
  nowMs: number,
  answeredMs: number,
  limits: RestartLimits,
): readonly number[] => (answeredMs >= limits.stableMs ? [nowMs] : [...earlier, nowMs]);

/**
 * Delays double from death to death. The jitter of a quarter either way keeps components that died of the same cause from
 * coming back at the same time.
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
    return {
      kind: 'crash loop',
      deaths: deaths.length,
      withinMs: newest - (deaths[0] ?? newest),
      delayMs: jittered(limits.slowDelayMs, jitter, random),
    };
  const backOff = { firstMs: limits.firstDelayMs, mostMs: limits.slowDelayMs, jitter };
  return { kind: 'restart', delayMs: backOffDelay(backOff, deaths.length, random) };
};

/** For people. @param lastReason of the last death */
export const describeCrashLoop = (
  { deaths, withinMs }: CrashLoop,
  lastReason: string,
  { slowDelayMs }: RestartLimits,
): string =>
  `crash loop: died ${deaths} times within ${Math.ceil(withinMs / 1000)} s, the last time: ${lastReason}; ` +
  `tried again every ${Math.round(slowDelayMs / 60_000)} minutes`;
