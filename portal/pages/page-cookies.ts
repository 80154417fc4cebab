import { type Cookies, createCookies } from '#runtime/auth/cookies.ts';

/** Secure according to the public address only: behind a proxy, a request does not show how the browser reached it. */
export const createPageCookies = (publicUrl: string | null): Cookies => {
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  // Not `strict`: a link in a mail would otherwise open a page that looks signed out.
  return createCookies({ sameSite: 'lax', isSecure: () => isSecure });
};
