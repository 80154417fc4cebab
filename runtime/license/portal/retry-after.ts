const minuteMs = 60_000;

/**
 * The longest wait that a Retry-After can demand, in milliseconds. A server that answers in the portal's place, or a portal whose
 * clock is wrong, must not put a check off for good or keep a person from trying; a portal that wants a longer wait says so again
 * afterwards.
 */
export const longestWaitMs = 60 * minuteMs;

/** A Retry-After, in seconds or as a date, as milliseconds from now; null when there is no usable one. */
export const readRetryAfter = (header: string | null, nowMs: number): number | null => {
  if (header === null) return null;
  // A date begins with the name of its day; JavaScript parses many other texts as dates, such as `-5`.
  if (!/^(?:\d+$|[A-Z])/i.test(header)) return null;
  const waitMs = /^\d/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(0, waitMs), longestWaitMs);
};
