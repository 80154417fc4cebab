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
