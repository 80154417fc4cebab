import type { IncomingHttpHeaders } from 'node:http';

/**
 * How long the header Retry-After asks to wait; null when it does not. A date is held against the answer's own: what the clock of
 * this machine shows counts only where the answer has none.
 */
export const retryAfterMs = (
  { 'retry-after': after = '', date = '' }: IncomingHttpHeaders,
  now: number,
): number | null => {
  if (/^\d{1,9}$/.test(after)) return Number(after) * 1000;
  const until = Date.parse(after);
  if (Number.isNaN(until)) return null;
  const sent = Date.parse(date);
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
};
