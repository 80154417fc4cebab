import type { IncomingHttpHeaders } from 'node:http';

/**
 * The wait that the header Retry-After asks for; null when there is none. A date is compared with the answer's own date: this
 * machine's clock counts only when the answer has none.
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
