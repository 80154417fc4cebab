const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The start is left to the stack first. */
const afterStartMs = { least: 20_000, most: 90_000 } as const;

export interface CheckTimes {
  readonly lastCheckedAt: Date | null;
  /** When this program started. */
  readonly startedAt: Date;
  /** When the last try got no answer. */
  readonly hasFailedAt: Date | null;
  /** From 0 to below 1; one number for one start. */
  readonly random: number;
}

/**
 * When to ask the server automatically: soon after a start, then once a day, spread so that not all installations ask at the
 * same time. Without an answer, again after an hour or so. A time in the future means that the clock was moved, and is
 * ignored.
 */
export const nextCheck = ({ lastCheckedAt, startedAt, hasFailedAt, random }: CheckTimes): Date => {
  const atStart =
    startedAt.getTime() + afterStartMs.least + random * (afterStartMs.most - afterStartMs.least);
  if (hasFailedAt) return new Date(hasFailedAt.getTime() + hourMs * (0.75 + random / 2));
  const isOfThisRun = lastCheckedAt !== null && lastCheckedAt.getTime() >= startedAt.getTime();
  if (!isOfThisRun) return new Date(atStart);
  return new Date(lastCheckedAt.getTime() + dayMs - random * 2 * hourMs);
};
