import type { Request, Response } from 'express';

export interface PageCookies {
  read(request: Request, name: string): string | null;
  /** @param maxAgeMs absent: until the browser is closed */
  set(response: Response, name: string, value: string, maxAgeMs?: number): void;
  clear(response: Response, name: string): void;
}

/**
 * Cookies that no page script can read and that other sites' forms do not bring along. By TLS their names carry the
 * prefix that binds them to this host; without TLS they cannot, and the two are never mixed.
 * @param secure whether the portal is reached by https
 */
export const createPageCookies = (secure: boolean): PageCookies => {
  const nameOf = (name: string) => (secure ? `__Host-${name}` : name);
  // Not `strict`: whoever follows a link from a mail would seem to be signed out.
  const options = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
  return {
    read(request, name) {
      const wanted = `${nameOf(name)}=`;
      const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(wanted))?.slice(wanted.length) || null;
    },
    set(response, name, value, maxAgeMs) {
      response.cookie(
        nameOf(name),
        value,
        maxAgeMs === undefined ? options : { ...options, maxAge: maxAgeMs },
      );
    },
    clear(response, name) {
      response.clearCookie(nameOf(name), options);
    },
  };
};
