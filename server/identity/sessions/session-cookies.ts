import { createHash } from 'node:crypto';
import type { Application, Request } from 'express';
import { sessionMaxDays } from '#contracts/identity/sessions.ts';
import { createCookies } from '#runtime/auth/cookies.ts';

const dayMs = 86_400_000;
const sessionCookies = {
  session: { name: 'castellan_session', maxAgeMs: sessionMaxDays * dayMs },
  device: { name: 'castellan_device', maxAgeMs: 365 * dayMs },
} as const;
type SessionCookie = keyof typeof sessionCookies;

const cookies = createCookies({ sameSite: 'strict', isSecure: (request) => request.secure });

const installationSetting = 'castellan installation';

/** Ports of one host share their cookies (RFC 6265, 8.5): a second Castellan on `localhost` would end the first one's sessions. */
export const nameCookiesFor = (app: Application, instanceId: string): void => {
  app.set(installationSetting, createHash('sha256').update(instanceId).digest('hex').slice(0, 8));
};

const nameAt = ({ app }: Request, cookie: SessionCookie): string =>
  `${sessionCookies[cookie].name}_${app.get(installationSetting)}`;

/** Browsers that signed in to an earlier version have it under the name alone. */
export const readCookie = (request: Request, cookie: SessionCookie): string | null =>
  cookies.read(request, nameAt(request, cookie)) ?? cookies.read(request, sessionCookies[cookie].name);

export const setCookie = (request: Request, cookie: SessionCookie, value: string): void => {
  clearFormer(request, cookie);
  if (request.res) cookies.set(request.res, nameAt(request, cookie), value, sessionCookies[cookie].maxAgeMs);
};

export const clearCookie = (request: Request, cookie: SessionCookie): void => {
  clearFormer(request, cookie);
  if (request.res) cookies.clear(request.res, nameAt(request, cookie));
};

/** Otherwise signing out would leave a session that works. */
const clearFormer = (request: Request, cookie: SessionCookie): void => {
  const { name } = sessionCookies[cookie];
  if (request.res && cookies.read(request, name) !== null) cookies.clear(request.res, name);
};
