import { type Cookies, createCookies } from '#runtime/auth/cookies.ts';

/** Secure by the public address alone: behind a proxy, a request itself does not tell how the browser reached it. */
export const createPageCookies = (publicUrl: string | null): Cookies => {
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  // Not `strict`: a link from a mail would seem to lead to a signed-out page.
  return createCookies({ sameSite: 'lax', isSecure: () => isSecure });
};
