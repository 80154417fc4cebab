import { parse } from 'cookie';
import type { Request, Response } from 'express';

/** Cookies that no page script can read and that are bound to this host alone. */
export interface Cookies {
  /** Null for a cookie that is missing or empty. */
  read(request: Request, name: string): string | null;
  /** @param maxAgeMs absent: until the browser is closed */
  set(response: Response, name: string, value: string, maxAgeMs?: number): void;
  clear(response: Response, name: string): void;
}

/**
 * Over HTTPS the names carry the prefix that binds a cookie to this host, path / and TLS. Without TLS they cannot; the two are
 * never mixed, so that nothing set over plain HTTP counts on a secure page.
 */
export const createCookies = ({
  sameSite,
  isSecure,
}: {
  /** `lax` where a link in an email has to lead into a session; `strict` elsewhere. */
  readonly sameSite: 'strict' | 'lax';
  /** Whether the browser reached us over HTTPS. */
  readonly isSecure: (request: Request) => boolean;
}): Cookies => {
  const nameFor = (request: Request, name: string) => (isSecure(request) ? `__Host-${name}` : name);
  const optionsFor = (request: Request) =>
    ({ httpOnly: true, sameSite, secure: isSecure(request), path: '/' }) as const;
  return {
    read(request, name) {
      return parse(request.headers.cookie ?? '')[nameFor(request, name)] || null;
    },
    set(response, name, value, maxAgeMs) {
      const options = optionsFor(response.req);
      response.cookie(
        nameFor(response.req, name),
        value,
        maxAgeMs === undefined ? options : { ...options, maxAge: maxAgeMs },
      );
    },
    clear(response, name) {
      response.clearCookie(nameFor(response.req, name), optionsFor(response.req));
    },
  };
};
