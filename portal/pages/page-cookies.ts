import { type Cookies, createCookies } from '#runtime/auth/cookies.ts';

/** Secure according to the public address only: behind a proxy, a request does not show how the browser reached it. */
export const createPageCookies = (publicUrl: string | null): Cookies => {
  const url = publicUrl === null ? null : new URL(publicUrl);
  // Not `strict`: a link in a mail would otherwise open a page that looks signed out.
  const cookies = createCookies({ sameSite: 'lax', isSecure: () => url?.protocol === 'https:' });
  // Ports of one host share their cookies (RFC 6265, 8.5): a second portal there would end the first one's sessions.
  const nameFor = (name: string) => (url?.port ? `${name}_${url.port}` : name);
  return {
    read: (request, name) => cookies.read(request, nameFor(name)),
    set: (response, name, value, maxAgeMs) => cookies.set(response, nameFor(name), value, maxAgeMs),
    clear: (response, name) => cookies.clear(response, nameFor(name)),
  };
};
