import type { Request } from 'express';
import { sessionMaxDays } from '#contracts/sessions.ts';

/**
 * By TLS the names carry the prefix that binds a cookie to this host, path / and TLS. Without TLS they cannot; both
 * kinds are never mixed, so that nothing set over plain HTTP counts on a secure page.
 */
const cookieNames = {
  session: { plain: 'castellan_session', secure: '__Host-castellan_session' },
  device: { plain: 'castellan_device', secure: '__Host-castellan_device' },
} as const;
type CookieName = keyof typeof cookieNames;

const dayMs = 86_400_000;
const maxAgeMs: Readonly<Record<CookieName, number>> = {
  session: sessionMaxDays * dayMs,
  device: 365 * dayMs,
};

const nameFor = (request: Request, name: CookieName) =>
  cookieNames[name][request.secure ? 'secure' : 'plain'];

const optionsFor = (request: Request) =>
  ({ httpOnly: true, sameSite: 'strict', secure: request.secure, path: '/' }) as const;

export const readCookie = (request: Request, name: CookieName): string | null => {
  const wanted = `${nameFor(request, name)}=`;
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(wanted))?.slice(wanted.length) ?? null;
};

export const setCookie = (request: Request, name: CookieName, value: string): void => {
  request.res?.cookie(nameFor(request, name), value, { ...optionsFor(request), maxAge: maxAgeMs[name] });
};

export const clearCookie = (request: Request, name: CookieName): void => {
  request.res?.clearCookie(nameFor(request, name), optionsFor(request));
};
