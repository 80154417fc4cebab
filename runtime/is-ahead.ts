import type { ClockLook } from './clock.ts';

/**
 * How far a stored time may lie after now and still count as now: time servers correct a clock by seconds, and other machines'
 * clocks differ by a few minutes. Kerberos allows five (RFC 4120, 8.2), and so do license tokens.
 */
export const aheadToleranceMs = 5 * 60_000;

/**
 * Whether a stored time lies ahead of now, which no time that has passed does: the clock was ahead when it was stored, or is
 * behind now. Such a time proves no age: nothing is "done", "fresh", newest or due by it. Both in milliseconds of wall time; a
 * time that does not parse (`NaN`) lies nowhere.
 */
export const isAhead = (storedMs: number, nowMs: number): boolean => storedMs > nowMs + aheadToleranceMs;

/** How far the wall clock was put forward, or back (negative), between two looks; 0 within the tolerance. */
export const clockSetByMs = (before: ClockLook, now: ClockLook): number => {
  const byMs = now.nowMs - before.nowMs - (now.monotonicMs - before.monotonicMs);
  return Math.abs(byMs) > aheadToleranceMs ? byMs : 0;
};

/** When something began, in milliseconds since 1970. If the clock was put back in the meantime, by the clock as it is now. */
export const begunMs = (began: ClockLook, now: ClockLook): number =>
  began.nowMs + Math.min(0, clockSetByMs(began, now));
