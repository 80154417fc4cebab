import type { Request } from 'express';
import { sessionMaxDays } from '#contracts/sessions.ts';
import { createCookies } from '#runtime/auth/cookies.ts';

const dayMs = 86_400_000;
const sessionCookies = {
  session: { name: 'castellan_session', maxAgeMs: sessionMaxDays * dayMs },
  device: { name: 'castellan_device', maxAgeMs: 365 * dayMs },
} as const;
type SessionCookie = keyof typeof sessionCookies;

const cookies = createCookies({ sameSite: 'strict', isSecure: (request) => request.secure });

export const readCookie = (request: Request, cookie: SessionCookie): string | null =>
  cookies.read(request, sessionCookies[cookie].name);

export const setCookie = ({ res }: Request, cookie: SessionCookie, value: string): void => {
  const { name, maxAgeMs } = sessionCookies[cookie];
  if (res) cookies.set(res, name, value, maxAgeMs);
};

export const clearCookie = ({ res }: Request, cookie: SessionCookie): void => {
  if (res) cookies.clear(res, sessionCookies[cookie].name);
};
