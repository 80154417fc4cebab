/** Where the pages of the customer area are. */
export const accountRoot = '/account';
export const signInPath = `${accountRoot}/sign-in`;

/**
 * What letters link to.
 * @param publicUrl where browsers reach the portal; null when that is not known, and then nothing is linked
 */
export const accountUrlOf = (publicUrl: string | null): string | null =>
  publicUrl === null ? null : new URL(accountRoot, publicUrl).href;
