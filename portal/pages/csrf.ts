import { isToken, tokenDigest } from '#runtime/auth/secret-token.ts';

export const csrfFieldName = 'csrf';

/**
 * The token that a form carries: made from the secret that the browser's cookie holds and no other site can read, so
 * that nothing has to be kept for it.
 */
export const csrfTokenOf = (cookieSecret: string): string =>
  tokenDigest(`form of ${cookieSecret}`).toString('base64url');

export const isCsrfToken = (shown: string, cookieSecret: string): boolean =>
  isToken(shown, tokenDigest(csrfTokenOf(cookieSecret)));
