import { customerAreaPath } from '#contracts/portal/customers.ts';

export const accountRoot = customerAreaPath;
export const signInPath = `${accountRoot}/sign-in`;

/**
 * The address that mails link to.
 * @param publicUrl where browsers reach the portal; null if unknown, and then nothing is linked
 */
export const accountUrlOf = (publicUrl: string | null): string | null =>
  publicUrl === null ? null : new URL(accountRoot, publicUrl).href;
