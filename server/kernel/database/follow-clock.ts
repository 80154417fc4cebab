import { aheadToleranceMs } from '#runtime/is-ahead.ts';

/** All in milliseconds of the clock that is followed. */
export interface KnownClock {
  /** What it showed at the last look. */
  readonly seenMs: number;
  /** When the machine was started, by this clock: it changes when the clock is set. */
  readonly bootedMs: number;
  /** The latest time that was proven. */
  readonly trustedMs: number;
  /** How far the clock is ahead of what is proven. */
  readonly unprovenMs: number;
  /** What the clock showed when it had gone forward. */
  readonly jumpedMs: number | null;
  /** From then on the clock is believed, if it still shows the same. */
  readonly untilMs: number | null;
}

const dayMs = 86_400_000;
/** Off for longer, or a clock that is wrong: no one can tell, so both are waited for. */
const offMs = dayMs;
/** Someone reads the warning in this time. */
const longestDoubtMs = 30 * dayMs;

const believed = { unprovenMs: 0, jumpedMs: null, untilMs: null };

const isSame = (one: number, other: number): boolean => Math.abs(one - other) <= aheadToleranceMs;

/**
 * What is believed of a clock after another look. A clock that goes forward at once, while the machine runs or by more than a
 * day while it is off, is believed once it has shown the new time for as long as it jumped, at most 30 days; if it is put
 * right before, it never was. A clock that is set back is believed at once: nothing ends for it. What the portal has signed has
 * passed: a machine that was only off is believed as soon as the portal has answered.
 */
export const followClock = (
  known: KnownClock | null,
  look: {
    readonly nowMs: number;
    readonly bootedMs: number;
    /** `bootedMs` of this process's last look; null: this is its first. */
    readonly lastBootedMs: number | null;
    /** For how long this process has seen no jump. */
    readonly steadyMs: number;
    /** A time that has passed for certain: the license portal signed it. Null: none is known. */
    readonly signedMs: number | null;
  },
): KnownClock => {
  const { nowMs, bootedMs, lastBootedMs, steadyMs, signedMs } = look;
  if (known === null) return { seenMs: nowMs, bootedMs, trustedMs: nowMs, ...believed };
  let { unprovenMs, jumpedMs, untilMs } = known;
  const wasSet =
    !isSame(bootedMs, known.bootedMs) && (lastBootedMs === null || !isSame(bootedMs, lastBootedMs));
  if (wasSet) {
    const backMs = lastBootedMs === null ? known.seenMs - nowMs : lastBootedMs - bootedMs;
    const wasBehind = known.trustedMs > known.seenMs - unprovenMs + aheadToleranceMs;
    // Since the last look of any process: one on another machine may have counted the same jump.
    const leptMs = Math.min(bootedMs - (lastBootedMs ?? 0), nowMs - known.seenMs);
    const gainedMs = lastBootedMs === null || wasBehind ? nowMs - unprovenMs - known.trustedMs : leptMs;
    if (backMs > aheadToleranceMs) {
      unprovenMs = Math.max(0, unprovenMs - backMs);
      untilMs = untilMs === null ? null : Math.min(untilMs - backMs, nowMs + unprovenMs);
      jumpedMs = jumpedMs === null ? null : jumpedMs - backMs;
    } else if (gainedMs > (lastBootedMs === null || wasBehind ? offMs : aheadToleranceMs)) {
      unprovenMs += gainedMs;
      jumpedMs = known.seenMs + gainedMs;
      untilMs = nowMs + Math.min(unprovenMs, longestDoubtMs);
    }
  }
  if (untilMs !== null && signedMs !== null && nowMs - signedMs < unprovenMs) {
    unprovenMs = Math.max(0, nowMs - signedMs);
    untilMs = Math.min(untilMs, nowMs + unprovenMs);
  }
  if (untilMs === null || nowMs >= untilMs || unprovenMs <= aheadToleranceMs)
    ({ unprovenMs, jumpedMs, untilMs } = believed);
  const provenMs = nowMs - unprovenMs;
  // What was believed wrongly once is forgotten after a day of another time.
  const trustedMs = steadyMs > dayMs ? provenMs : Math.max(known.trustedMs, provenMs);
  return { seenMs: nowMs, bootedMs, trustedMs, unprovenMs, jumpedMs, untilMs };
};
