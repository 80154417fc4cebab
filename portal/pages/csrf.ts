import { createHash, timingSafeEqual } from 'node:crypto';

export const csrfFieldName = 'csrf';

/**
 * The token that a form carries: made from the secret that the browser's cookie holds and no other site can read, so
 * that nothing has to be kept for it.
 */
export const csrfTokenOf = (cookieSecret: string): string =>
  createHash('sha256').update(`form of ${cookieSecret}`).digest('base64url');

export const isCsrfToken = (shown: string, cookieSecret: string): boolean => {
  const [given, expected] = [Buffer.from(shown), Buffer.from(csrfTokenOf(cookieSecret))];
  return given.length === expected.length && timingSafeEqual(given, expected);
};
