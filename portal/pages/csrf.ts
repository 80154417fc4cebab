import { isToken, tokenDigest } from '#runtime/auth/secret-token.ts';

export const csrfFieldName = 'csrf';

/**
 * The token of a form: derived from the secret in the browser's cookie, which no other site can read, so that nothing
 * has to be stored for it.
 */
export const csrfTokenOf = (cookieSecret: string): string =>
  tokenDigest(`form of ${cookieSecret}`).toString('base64url');

export const isCsrfToken = (shown: string, cookieSecret: string): boolean =>
  isToken(shown, tokenDigest(csrfTokenOf(cookieSecret)));
